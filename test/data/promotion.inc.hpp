// JAX's promotion of dtypes (jax_enable_x64), weak types included.
// Written by test/data/promotion.py with jax 0.10.2, numpy 2.4.6; do not edit.
#pragma once

namespace reference {

struct promotion {
  const char* left;
  const char* right;   // a dtype, weak_bool, weak_int or weak_float
  const char* result;
  bool weak;           // the result stays weak: one of JAX's default dtypes, i64 or f64
};

inline constexpr promotion promotions[] = {
    {"bool", "bool", "bool", false},
    {"bool", "u8", "u8", false},
    {"bool", "i32", "i32", false},
    {"bool", "u32", "u32", false},
    {"bool", "i64", "i64", false},
    {"bool", "f32", "f32", false},
    {"bool", "f64", "f64", false},
    {"bool", "weak_bool", "bool", false},
    {"bool", "weak_int", "i64", true},
    {"bool", "weak_float", "f64", true},
    {"u8", "bool", "u8", false},
    {"u8", "u8", "u8", false},
    {"u8", "i32", "i32", false},
    {"u8", "u32", "u32", false},
    {"u8", "i64", "i64", false},
    {"u8", "f32", "f32", false},
    {"u8", "f64", "f64", false},
    {"u8", "weak_bool", "u8", false},
    {"u8", "weak_int", "u8", false},
    {"u8", "weak_float", "f64", true},
    {"i32", "bool", "i32", false},
    {"i32", "u8", "i32", false},
    {"i32", "i32", "i32", false},
    {"i32", "u32", "i64", false},
    {"i32", "i64", "i64", false},
    {"i32", "f32", "f32", false},
    {"i32", "f64", "f64", false},
    {"i32", "weak_bool", "i32", false},
    {"i32", "weak_int", "i32", false},
    {"i32", "weak_float", "f64", true},
    {"u32", "bool", "u32", false},
    {"u32", "u8", "u32", false},
    {"u32", "i32", "i64", false},
    {"u32", "u32", "u32", false},
    {"u32", "i64", "i64", false},
    {"u32", "f32", "f32", false},
    {"u32", "f64", "f64", false},
    {"u32", "weak_bool", "u32", false},
    {"u32", "weak_int", "u32", false},
    {"u32", "weak_float", "f64", true},
    {"i64", "bool", "i64", false},
    {"i64", "u8", "i64", false},
    {"i64", "i32", "i64", false},
    {"i64", "u32", "i64", false},
    {"i64", "i64", "i64", false},
    {"i64", "f32", "f32", false},
    {"i64", "f64", "f64", false},
    {"i64", "weak_bool", "i64", false},
    {"i64", "weak_int", "i64", false},
    {"i64", "weak_float", "f64", true},
    {"f32", "bool", "f32", false},
    {"f32", "u8", "f32", false},
    {"f32", "i32", "f32", false},
    {"f32", "u32", "f32", false},
    {"f32", "i64", "f32", false},
    {"f32", "f32", "f32", false},
    {"f32", "f64", "f64", false},
    {"f32", "weak_bool", "f32", false},
    {"f32", "weak_int", "f32", false},
    {"f32", "weak_float", "f32", false},
    {"f64", "bool", "f64", false},
    {"f64", "u8", "f64", false},
    {"f64", "i32", "f64", false},
    {"f64", "u32", "f64", false},
    {"f64", "i64", "f64", false},
    {"f64", "f32", "f64", false},
    {"f64", "f64", "f64", false},
    {"f64", "weak_bool", "f64", false},
    {"f64", "weak_int", "f64", false},
    {"f64", "weak_float", "f64", false},
};

}  // namespace reference
