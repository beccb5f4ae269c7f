#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# No header uses a name that headers of C, of POSIX or of curses define as a macro (I of complex.h), but for those which
# are meant. And whoever includes a header keeps their own: etna.hpp, language.hpp and each that these do not reach
# begin with set_aside.hpp and end with set_back.hpp. Usage: sh cmake/check_macros.sh CHECKOUT
cd "$1/include/etna" || exit 1
status=0

meant='AT_EACCESS AT_FDCWD EINTR INT32_MAX INT32_MIN INT64_MAX INT64_MIN INT_MAX INT_MIN LOCK_EX LOCK_NB MADV_HUGEPAGE
  MAP_FAILED MAP_SHARED O_CLOEXEC O_CREAT O_DIRECTORY O_EXCL O_NOCTTY O_NOFOLLOW O_NONBLOCK O_RDONLY O_RDWR O_TRUNC O_WRONLY
  PROT_READ PROT_WRITE SA_RESTART SA_SIGINFO SIGTERM SIG_DFL SIG_IGN SIG_SETMASK W_OK UINT32_MAX UINT8_MAX
  bool errno false sa_handler sa_sigaction stderr stdout static_assert thread_local true'
names=$( {
  printf '#define %s 0\n' I B0 ECHO major minor unix linux
  for header in complex.h math.h limits.h termios.h curses.h fcntl.h signal.h sys/sysmacros.h sys/param.h sys/ioctl.h \
    sys/mman.h sys/stat.h sys/socket.h netinet/in.h; do
    echo "#include <$header>" | ${CC:-cc} -x c -D_GNU_SOURCE -DNCURSES_NOMACROS -E -dM - 2>/dev/null
  done
} | sed -n 's/^#define \([A-Za-z][A-Za-z0-9_]*\) .*/\1/p' | sort -u)
for name in $meant; do names=$(echo "$names" | grep -vx "$name"); done
# Code without comments and literals, a word a line.
words=$(find . -name '*.hpp' ! -name 'set_*.hpp' -exec cat {} + |
  sed -e 's,//.*,,' -e 's,"[^"]*",,g' -e '/^ *#/d' | grep -oE '[A-Za-z_][A-Za-z0-9_]*' | sort -u)
for name in $(printf '%s\n' "$names" "$words" | sort | uniq -d); do
  echo "the name $name is a macro of a header of C, POSIX or curses:"
  grep -rnw --include='*.hpp' "$name" . | grep -v set_ | head -3
  status=1
done

for header in $(find . -name '*.hpp' | sed 's,^\./,,' | sort); do
  case $header in set_*) continue ;; etna.hpp | language.hpp) ;; *) grep -q "<etna/$header>" etna.hpp && continue ;; esac
  includes=$(grep -E '^ *# *include' "$header")
  [ "$(echo "$includes" | sed -n 1p)" = "#include <etna/set_aside.hpp>" ] &&
    [ "$(tail -1 "$header")" = "#include <etna/set_back.hpp>" ] && continue
  echo "include/etna/$header: etna.hpp does not reach it, so <etna/set_aside.hpp> is its first include and <etna/set_back.hpp> its last line"
  status=1
done
exit $status
