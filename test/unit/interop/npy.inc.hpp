// SPDX-License-Identifier: BSD-3-Clause
// Files that NumPy 2.4.6 wrote: made by npy.py.
#pragma once
#include <string_view>

namespace npy_files {

inline constexpr std::string_view f32_c("\223NUMPY\001\000v\000{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }                                                          \012\000\000\000\000\000\000\200>\000\000\000\077\000\000@\077\000\000\200\077\000\000\240\077", 152);
inline constexpr std::string_view f64_fortran("\223NUMPY\001\000v\000{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3, 4), }                                                        \012\000\000\000\000\000\000\000\000\000\000\000\000\000\000(@\000\000\000\000\000\000\020@\000\000\000\000\000\0000@\000\000\000\000\000\000 @\000\000\000\000\000\0004@\000\000\000\000\000\000\360\077\000\000\000\000\000\000*@\000\000\000\000\000\000\024@\000\000\000\000\000\0001@\000\000\000\000\000\000\042@\000\000\000\000\000\0005@\000\000\000\000\000\000\000@\000\000\000\000\000\000,@\000\000\000\000\000\000\030@\000\000\000\000\000\0002@\000\000\000\000\000\000$@\000\000\000\000\000\0006@\000\000\000\000\000\000\010@\000\000\000\000\000\000.@\000\000\000\000\000\000\034@\000\000\000\000\000\0003@\000\000\000\000\000\000&@\000\000\000\000\000\0007@", 320);
inline constexpr std::string_view i64_scalar("\223NUMPY\001\000v\000{'descr': '<i8', 'fortran_order': False, 'shape': (), }                                                              \012\000\000\000\000\000\377\377\377", 136);
inline constexpr std::string_view bool_row("\223NUMPY\001\000v\000{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }                                                            \012\001\000\001", 131);
inline constexpr std::string_view u8_empty("\223NUMPY\001\000v\000{'descr': '|u1', 'fortran_order': False, 'shape': (0, 4), }                                                          \012", 128);
inline constexpr std::string_view f32_big("\223NUMPY\001\000v\000{'descr': '>f4', 'fortran_order': False, 'shape': (3,), }                                                            \012\000\000\000\000\077\200\000\000@\000\000\000", 140);
inline constexpr std::string_view c64("\223NUMPY\001\000v\000{'descr': '<c8', 'fortran_order': False, 'shape': (2,), }                                                            \012\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000", 144);
inline constexpr std::string_view float8("\223NUMPY\001\000v\000{'descr': '<V1', 'fortran_order': False, 'shape': (2,), }                                                            \012\000\000", 130);
inline constexpr std::string_view record("\223NUMPY\001\000v\000{'descr': [('a', '<f4'), ('b', '<i4')], 'fortran_order': False, 'shape': (2,), }                                     \012\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000", 144);

}  // namespace npy_files
