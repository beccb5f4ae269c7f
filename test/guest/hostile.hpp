// SPDX-License-Identifier: BSD-3-Clause
// What stands in front of etna's headers in somebody's file: headers of C, of POSIX and of curses that define macros,
// and macros of a program's own.
#pragma once
#include <complex.h>
#include <math.h>
#include <sys/param.h>
#include <termios.h>
#if __has_include(<sys/sysmacros.h>)
#include <sys/sysmacros.h>
#endif
#if __has_include(<curses.h>)
#include <curses.h>
#endif

// Those which the headers above have in C alone, or elsewhere.
#if !defined(B0)
#define B0 0000000
#endif
#if !defined(ECHO)
#define ECHO 0000010
#endif
#if !defined(major)
#define major(device) (device)
#define minor(device) (device)
#endif
#if !defined(columns)
#define columns (0)
#define lines (0)
#endif
#define DOMAIN 1
#define SING 2
#define OVERFLOW 3
#define UNDERFLOW 4
#define PLOSS 5

#define A (1)
#define B (1)
#define C (1)
#define D (1)
#define E (1)
#define F (1)
#define G (1)
#define H (1)
#undef I
#define I (1)
#define J (1)
#define K (1)
#define L (1)
#define M (1)
#define N (1)
#define O (1)
#define P (1)
#define Q (1)
#define R (1)
#define S (1)
#define T (1)
#define U (1)
#define V (1)
#define W (1)
#define X (1)
#define Y (1)
#define Z (1)
