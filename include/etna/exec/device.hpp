// SPDX-License-Identifier: BSD-3-Clause
// A device besides the host: starting work on it, waiting for it, and memory that both reach. Where Kokkos has none,
// nothing of this is instantiated. Read next: space.hpp.
#pragma once
#include <Kokkos_Core.hpp>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <etna/array/storage.hpp>

#include "process.hpp"

namespace etna::exec {

struct no_device {
  static constexpr bool is_present = false;
  static void wait() {}
};

/// An execution space of Kokkos with the memory that Kokkos shares between it and the host.
template <class Space> struct kokkos_device {
  static constexpr bool is_present = true;
  using space = Space;
  static inline thread_local std::optional<Space> queue;  // of this thread, where it has its own
  template <class Body> static void run(std::string const& name, std::int64_t n, Body const& body) {
    Kokkos::parallel_for(
        name, Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(queue ? *queue : Space(), 0, n), body);
  }
  static void wait() { (queue ? *queue : Space()).fence("etna"); }
  static void* take(std::size_t bytes, std::size_t) {
    try {
      return Kokkos::kokkos_malloc<Kokkos::SharedSpace>("etna", bytes);
    } catch (std::exception const&) { return nullptr; }
  }
  static void give(void* p) { Kokkos::kokkos_free<Kokkos::SharedSpace>(p); }
};

// ETNA_DEVICE names another class with the members of kokkos_device: test/device has one without hardware.
#if defined(ETNA_DEVICE)
using device = ETNA_DEVICE;
#elif defined(__CUDACC__) && defined(KOKKOS_ENABLE_CUDA)
using device = kokkos_device<Kokkos::Cuda>;
#else
using device = no_device;
#endif

/// Arrays lie where the device reaches them, from now on and until Kokkos ends.
template <class Device = device> inline void use_device_memory() {
  if constexpr (Device::is_present) {
    static bool const once = [] {
      memory::of_device = new memory::pool({memory_space::shared, &Device::take, &Device::give});
      Kokkos::push_finalize_hook([] {
        memory::empty_cache();
        memory::of_device = nullptr;
      });
      return true;
    }();
    (void)once;
  }
}

/// Where calls run on a device: Kokkos runs, begun here where the user has not done it, and ended with the program. The
/// host alone needs no Kokkos.
template <class Device = device> inline void ensure_device() {
  if constexpr (Device::is_present) {
    if (process::is_forked()) message::raise<138>("this is a child of the process that has it");
    if (Kokkos::is_finalized()) message::raise<138>("Kokkos has ended");
    static std::once_flag once;
    std::call_once(once, [] {
      if (Kokkos::is_initialized()) return;
      Kokkos::initialize(Kokkos::InitializationSettings().set_disable_warnings(true));
      std::atexit([] {
        if (Kokkos::is_initialized()) Kokkos::finalize();
      });
    });
    use_device_memory();
  }
}

/// Work of this thread that was started and not waited for, and the memory that it has until then.
struct in_flight {
  bool any = false;
  std::vector<memory_block*> kept;
  static in_flight& now() {
    static thread_local in_flight mine;
    return mine;
  }
};
/// Start body(u) for all u of [0, n) on the device. Bodies run one after the other in the order of these calls.
template <class Device = device, class Body>
inline void start(std::string const& name, std::int64_t n, Body const& body) {
  Device::run(name, n, body);
  in_flight::now().any = true;
}
/// All that this thread has started is done, and the host may look at its results.
inline void wait() {
  if constexpr (device::is_present) {
    in_flight& f = in_flight::now();
    if (!f.any) return;
    device::wait();
    f.any = false;
    for (memory_block* b : f.kept) release(b);
    f.kept.clear();
  }
}
/// At its end all is done, also where an error is the end.
struct done_at_end {
  ~done_at_end() { wait(); }
};

/// Arguments and results of a call where the device reaches them: what lies elsewhere (in the object, in memory of the
/// user's, in arrays from before Kokkos ran) is copied.
template <int N> class on_device {
 public:
  void* argument(void* data, std::size_t bytes, memory_block const* owner) {
    if (is_reached(owner)) return data;
    void* place = take(bytes);
    std::memcpy(place, data, bytes);
    return place;
  }
  void* result(void* data, std::size_t bytes, memory_block const* owner) {
    if (is_reached(owner)) return data;
    void* place = take(bytes);
    back_[n_back_++] = {data, place, bytes};
    return place;
  }
  /// The steps are done: results go where they are wanted.
  void end() const {
    for (int i = 0; i < n_back_; ++i) std::memcpy(back_[i].to, back_[i].from, back_[i].bytes);
  }
  on_device() = default;
  on_device(on_device const&) = delete;
  on_device& operator=(on_device const&) = delete;
  ~on_device() {
    for (int i = 0; i < n_; ++i) release(blocks_[i]);
  }
  /// May a result take this block of an argument?
  static bool may_keep(memory_block const* owner) { return is_reached(owner); }

 private:
  static bool is_reached(memory_block const* b) { return b && b->space == memory_space::shared; }
  struct copy {
    void* to;
    void const* from;
    std::size_t bytes;
  };
  void* take(std::size_t bytes) { return (blocks_[n_++] = memory::allocate(bytes))->data; }
  std::array<memory_block*, N> blocks_;
  std::array<copy, N> back_;
  int n_ = 0, n_back_ = 0;
};
/// The same where there is only the host.
struct on_host {
  static void* argument(void* data, std::size_t, memory_block const*) { return data; }
  static void* result(void* data, std::size_t, memory_block const*) { return data; }
  static bool may_keep(memory_block const*) { return true; }
  static void end() {}
};
template <int N> using call_memory = std::conditional_t<device::is_present, on_device<N>, on_host>;

}  // namespace etna::exec

namespace etna {

/// While it lives, calls of this thread run in the queue of `space`, an instance of the device's execution space: a
/// stream of the user's. A call is waited for before it returns. Instances of a space of the host change nothing.
///
/// example test/device/programs.cpp  [a call runs in a queue of the user's]
template <class Device> class run_in_queue {
 public:
  explicit run_in_queue(typename Device::space const& space) : before_(Device::queue) { Device::queue.emplace(space); }
  ~run_in_queue() { Device::queue = before_; }
  run_in_queue(run_in_queue const&) = delete;
  run_in_queue& operator=(run_in_queue const&) = delete;

 private:
  std::optional<typename Device::space> before_;
};
template <class Space> run_in_queue(Space const&) -> run_in_queue<exec::kokkos_device<Space>>;

}  // namespace etna
