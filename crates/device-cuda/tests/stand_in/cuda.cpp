// A stand-in for the CUDA driver, which computes on the processor.
//
// It is as strict as a driver may be. Every stream is a thread with delays. Memory that is allocated on a stream can be
// accessed once the stream has reached the allocation, holds garbage, is never handed out twice and cannot be accessed
// any more once it is freed. Every use of an allocation is compared with the last ones on other streams: if no event or
// wait orders them, that is reported even if it went well. What a caller must not do is a violation: it is written to
// stderr and ends the process, unless LEVADA_STAND_IN_TOLERANT=1 asks only to return the error.
//
// LEVADA_STAND_IN_DEVICES       number of devices, 1
// LEVADA_STAND_IN_MEMORY        bytes of memory of each, 4 GiB
// LEVADA_STAND_IN_TAKEN         bytes of it that another process uses, 0
// LEVADA_STAND_IN_OLD           1 if the driver is older than NVRTC and reads none of its PTX
// LEVADA_STAND_IN_NEWEST        the newest compute capability that NVRTC knows, 90
// LEVADA_STAND_IN_REFUSE        1 if cuDNN and cuBLASLt refuse what they recommended
// LEVADA_STAND_IN_PEERS         0 if the devices cannot access each other's memory
// LEVADA_STAND_IN_SEED          for delays and the order of blocks
// LEVADA_STAND_IN_DELAY         maximum delay in microseconds, 200
// LEVADA_STAND_IN_FAIL          launch:N, the Nth kernel faults; refuse:N, the Nth launch is refused; alloc:N, the Nth
//                               allocation finds no memory; copy:N, the Nth copy faults

#include "kernels.h"

namespace {
template <class T> bool known(const std::set<void*>& all, T* handle, const char* what) {
    if (all.count((void*)handle)) return true;
    violated("there is no %s %p", what, (void*)handle);
    return false;
}

// The current context, usable. The lock is held.
Code context_now(Context*& context) {
    if (!world().started) return NOT_INITIALIZED;
    context = current;
    if (!context) return INVALID_CONTEXT;
    return context->failed;
}

Device* device_of(int number) {
    World& w = world();
    return number >= 0 && (size_t)number < w.devices.size() ? w.devices[number] : nullptr;
}

// Whether a stream's kernels may access an allocation.
bool reachable(Stream* stream, const Allocation& a) {
    if (!a.device || a.device == stream->context->device) return true;
    if (a.pooled) return a.device->pool_peers.count(stream->context->device);
    return a.device->primary && stream->context->peers.count(a.device->primary);
}

// An end of a copy on the device: all of it must be in one allocation.
Code whole(uint64_t address, size_t size, const char* what) {
    Lock lock(world().lock);
    auto found = holding(address);
    if (!found || !found->there || address + size > found->start + found->size) {
        lock.unlock();
        violated("%s of %zu bytes touches %s", what, size, place(address + size - 1).c_str());
        return ILLEGAL_ADDRESS;
    }
    return OK;
}

// The page-locked memory that an address is in, if any. The lock is held.
std::shared_ptr<Allocation> locked(const void* address, size_t size) {
    auto found = holding((uint64_t)address);
    return found && !found->device && (uint64_t)address + size <= found->start + found->size ? found : nullptr;
}
} // namespace

extern "C" {
void stand_in_violation(const char* format, ...) {
    va_list args;
    va_start(args, format);
    violation(format, args);
    va_end(args);
}

uint64_t stand_in_extent(uint64_t address) {
    Lock lock(world().lock);
    auto found = holding(address);
    return found && found->there ? found->start + found->size - address : 0;
}

int stand_in_queue(void* handle, const char* what, const Use* uses, size_t count, int (*run)(void*), void (*drop)(void*),
    void* context) {
    std::shared_ptr<void> held(context, drop);
    Lock lock(world().lock);
    Stream* stream;
    if (Code code = stream_of(handle, stream)) return code;
    Op op;
    op.what = what;
    op.uses.assign(uses, uses + count);
    op.run = [run, held, what] { return guarded(what, [&] { return run(held.get()); }); };
    return queue(stream, std::move(op));
}

Code cuInit(unsigned) {
    World& w = world();
    Lock lock(w.lock);
    if (w.started) return OK;
    w.started = true;
    w.old = setting("LEVADA_STAND_IN_OLD", 0);
    w.taken = setting("LEVADA_STAND_IN_TAKEN", 0);
    w.tolerant = setting("LEVADA_STAND_IN_TOLERANT", 0);
    w.limit = setting("LEVADA_STAND_IN_MEMORY", 4ull << 30);
    w.peers = setting("LEVADA_STAND_IN_PEERS", 1);
    w.seed = setting("LEVADA_STAND_IN_SEED", 1);
    w.delay = setting("LEVADA_STAND_IN_DELAY", 200);
    if (const char* fail = getenv("LEVADA_STAND_IN_FAIL")) {
        const char* colon = strchr(fail, ':');
        if (colon) {
            w.fail.assign(fail, colon - fail);
            w.fail_at = strtoull(colon + 1, nullptr, 10);
        }
    }
    for (uint64_t i = 0; i < setting("LEVADA_STAND_IN_DEVICES", 1); i++) {
        Device* device = new Device;
        device->ordinal = (int)i;
        w.devices.push_back(device);
    }
    catch_faults();
    return OK;
}

Code cuDriverGetVersion(int* version) {
    *version = 13000;
    return OK;
}

Code cuGetErrorName(Code code, const char** text) {
    *text = named(code);
    return OK;
}

Code cuGetErrorString(Code code, const char** text) {
    *text = "unknown error";
    for (const auto& e : ERRORS)
        if (e.code == code) *text = e.text;
    return OK;
}

// Devices and contexts.

Code cuDeviceGetCount(int* count) {
    if (!world().started) return NOT_INITIALIZED;
    *count = (int)world().devices.size();
    return OK;
}

Code cuDeviceGet(int* device, int ordinal) {
    if (!world().started) return NOT_INITIALIZED;
    if (!device_of(ordinal)) return INVALID_DEVICE;
    *device = ordinal;
    return OK;
}

Code cuDeviceGetName(char* name, int len, int device) {
    if (!device_of(device)) return INVALID_DEVICE;
    snprintf(name, len, "stand-in %d", device);
    return OK;
}

Code cuDeviceGetUuid_v2(char* uuid, int device) {
    if (!device_of(device)) return INVALID_DEVICE;
    memset(uuid, 0, 16);
    uuid[15] = (char)(device + 1);
    return OK;
}

Code cuDeviceTotalMem_v2(size_t* bytes, int device) {
    if (!device_of(device)) return INVALID_DEVICE;
    *bytes = world().limit;
    return OK;
}

Code cuDeviceGetAttribute(int* value, int attribute, int device) {
    if (!device_of(device)) return INVALID_DEVICE;
    switch (attribute) {
    case 1: *value = 1024; return OK;           // threads per block
    case 2: case 3: *value = 1024; return OK;   // block, x and y
    case 4: *value = 64; return OK;
    case 5: *value = 2147483647; return OK;     // grid, x
    case 6: case 7: *value = 65535; return OK;
    case 8: *value = 48 << 10; return OK;       // shared memory per block
    case 10: *value = 32; return OK;            // threads of a warp
    case 16: *value = 4; return OK;             // multiprocessors
    case 31: *value = 1; return OK;             // concurrent kernels
    case 33: *value = device + 1; return OK;    // bus
    case 34: *value = 0; return OK;
    case 39: *value = 2048; return OK;
    case 40: *value = 2; return OK;             // engines for copies
    case 41: *value = 1; return OK;             // unified addresses
    case 50: *value = 0; return OK;
    case 75: *value = 9; return OK;             // compute capability
    case 76: *value = 0; return OK;
    case 97: *value = MOST_SHARED - 1024; return OK;
    case 115: *value = 1; return OK;            // pools of memory
    }
    fprintf(stderr, "stand-in for CUDA: attribute %d is not known\n", attribute);
    *value = 0;
    return OK;
}

Code cuDevicePrimaryCtxRetain(void** context, int number) {
    World& w = world();
    Lock lock(w.lock);
    if (!w.started) return NOT_INITIALIZED;
    Device* device = device_of(number);
    if (!device) return INVALID_DEVICE;
    if (!device->primary) {
        device->primary = new Context{};
        device->primary->device = device;
        w.contexts.insert(device->primary);
    }
    device->primary->retained++;
    *context = device->primary;
    return OK;
}

// A failed context stays failed, whatever holds it: a process cannot use it again.
Code cuDevicePrimaryCtxRelease_v2(int number) {
    Lock lock(world().lock);
    Device* device = device_of(number);
    if (!device) return INVALID_DEVICE;
    if (!device->primary || !device->primary->retained) return INVALID_CONTEXT;
    device->primary->retained--;
    return OK;
}

Code cuCtxGetCurrent(void** context) {
    *context = current;
    return OK;
}

Code cuCtxSetCurrent(void* context) {
    Lock lock(world().lock);
    if (context && !known(world().contexts, context, "context")) return INVALID_CONTEXT;
    current = (Context*)context;
    return OK;
}

Code cuCtxGetDevice(int* device) {
    if (!current) return INVALID_CONTEXT;
    *device = current->device->ordinal;
    return OK;
}

Code cuCtxSynchronize() {
    World& w = world();
    Lock lock(w.lock);
    Context* context;
    if (Code code = context_now(context)) return code;
    if (Code code = unsafe_now("cuCtxSynchronize")) return code;
    auto all = w.streams;
    for (void* one : all)
        if (w.streams.count(one) && ((Stream*)one)->context == context) wait_for(lock, (Stream*)one);
    return context->failed;
}

Code cuCtxGetStreamPriorityRange(int* least, int* greatest) {
    if (least) *least = 0;
    if (greatest) *greatest = -5;
    return OK;
}

Code cuCtxSetFlags(unsigned) { return OK; }

Code cuDeviceCanAccessPeer(int* can, int device, int peer) {
    if (!device_of(device) || !device_of(peer)) return INVALID_DEVICE;
    *can = world().peers && device != peer;
    return OK;
}

Code cuCtxEnablePeerAccess(void* peer, unsigned flags) {
    Lock lock(world().lock);
    Context* context;
    if (Code code = context_now(context)) return code;
    if (flags || !known(world().contexts, peer, "context") || peer == context) return INVALID_VALUE;
    if (!world().peers) return 217;
    return context->peers.insert((Context*)peer).second ? OK : PEER_ALREADY_ENABLED;
}

// Memory.

Code cuMemGetInfo_v2(size_t* free, size_t* total) {
    Lock lock(world().lock);
    Context* context;
    if (Code code = context_now(context)) return code;
    *total = world().limit;
    *free = world().limit - std::min(world().limit, context->device->used + world().taken);
    return OK;
}

static Code reserve_for(Context* context, size_t bytes, std::shared_ptr<Allocation>& made) {
    World& w = world();
    if (!bytes) return INVALID_VALUE;
    if (fails("alloc", w.allocs) || bytes > w.limit || context->device->used + w.taken + bytes > w.limit) return OUT_OF_MEMORY;
    made = reserve(context->device, bytes);
    if (!made) return OUT_OF_MEMORY;
    context->device->used += bytes;
    return OK;
}

Code cuMemAllocAsync(uint64_t* address, size_t bytes, void* handle) {
    Lock lock(world().lock);
    Stream* stream;
    if (Code code = stream_of(handle, stream)) return code;
    if (stream->capture) {
        stream->capture->invalid = true;
        violated("memory is allocated on a stream that is captured, which is not done here");
        return CAPTURE_UNSUPPORTED;
    }
    std::shared_ptr<Allocation> made;
    if (Code code = reserve_for(stream->context, bytes, made)) return code;
    made->pooled = true;
    *address = made->start;
    Op op;
    op.what = "an allocation";
    op.run = [made, stream] {
        Lock lock(world().lock);
        appear(*made);
        made->writer = stream->number;
        made->written = stream->done;
        made->write_name = "the allocation";
        return OK;
    };
    return queue(stream, std::move(op));
}

Code cuMemFreeAsync(uint64_t address, void* handle) {
    Lock lock(world().lock);
    Stream* stream;
    if (Code code = stream_of(handle, stream)) return code;
    auto found = holding(address);
    if (!found || found->start != address || !found->device || found->freed) {
        violated("memory is freed that is not there");
        return INVALID_VALUE;
    }
    if (stream->capture) {
        stream->capture->invalid = true;
        violated("memory is freed on a stream that is captured");
        return INVALID_VALUE;
    }
    found->device->used -= found->size;
    Op op;
    op.what = "a free";
    op.frees = true;
    op.uses = {{address, true}};
    op.run = [found] {
        Lock lock(world().lock);
        if (found->freed) {
            violated("memory is freed twice");
            return INVALID_VALUE;
        }
        vanish(*found);
        return OK;
    };
    return queue(stream, std::move(op));
}

Code cuMemAlloc_v2(uint64_t* address, size_t bytes) {
    Lock lock(world().lock);
    Context* context;
    if (Code code = context_now(context)) return code;
    if (Code code = unsafe_now("cuMemAlloc")) return code;
    std::shared_ptr<Allocation> made;
    if (Code code = reserve_for(context, bytes, made)) return code;
    appear(*made);
    *address = made->start;
    return OK;
}

Code cuMemFree_v2(uint64_t address) {
    World& w = world();
    {
        Lock lock(w.lock);
        if (Code code = unsafe_now("cuMemFree")) return code;
    }
    if (Code code = cuCtxSynchronize()) return code;
    Lock lock(w.lock);
    auto found = holding(address);
    if (!found || found->start != address || !found->there || !found->device) {
        violated("memory is freed that is not there");
        return INVALID_VALUE;
    }
    found->device->used -= found->size;
    vanish(*found);
    return OK;
}

Code cuMemHostAlloc(void** address, size_t bytes, unsigned) {
    Lock lock(world().lock);
    Context* context;
    if (Code code = context_now(context)) return code;
    if (Code code = unsafe_now("cuMemHostAlloc")) return code;
    if (!bytes) return INVALID_VALUE;
    auto made = reserve(nullptr, bytes);
    if (!made) return OUT_OF_MEMORY;
    appear(*made);
    *address = (void*)made->start;
    return OK;
}

Code cuMemFreeHost(void* address) {
    Lock lock(world().lock);
    auto found = holding((uint64_t)address);
    if (!found || found->device || found->start != (uint64_t)address || found->freed) {
        violated("page-locked memory is freed that is not there");
        return INVALID_VALUE;
    }
    if (Code code = unsafe_now("cuMemFreeHost")) return code;
    if (found->pending) violated("page-locked memory is freed while %d copies use it", found->pending.load());
    vanish(*found);
    return current ? current->failed : OK;
}

Code cuDeviceGetDefaultMemPool(void** pool, int device) {
    if (!device_of(device)) return INVALID_DEVICE;
    *pool = device_of(device);
    return OK;
}
Code cuDeviceGetMemPool(void** pool, int device) { return cuDeviceGetDefaultMemPool(pool, device); }
Code cuMemPoolSetAttribute(void* pool, int, void*) { return pool ? OK : INVALID_VALUE; }
Code cuMemPoolGetAttribute(void* pool, int, uint64_t* value) {
    *value = 0;
    return pool ? OK : INVALID_VALUE;
}
Code cuMemPoolTrimTo(void* pool, size_t) { return pool ? OK : INVALID_VALUE; }

struct PoolAccess { int type, id, flags; };
Code cuMemPoolSetAccess(void* pool, const PoolAccess* all, size_t count) {
    Lock lock(world().lock);
    for (size_t i = 0; i < count; i++) {
        Device* peer = device_of(all[i].id);
        if (!pool || !peer) return INVALID_DEVICE;
        if (!world().peers && peer != pool) return 217;
        if (all[i].flags == 3) {
            ((Device*)pool)->pool_peers.insert(peer);
        } else {
            ((Device*)pool)->pool_peers.erase(peer);
        }
    }
    return OK;
}

// Copies.

static Code copy_now(void* to, const void* from, size_t size, const char* what) {
    World& w = world();
    {
        Lock lock(w.lock);
        if (fails("copy", w.copies)) return ILLEGAL_ADDRESS;
    }
    return guarded(what, [&] {
        memcpy(to, from, size);
        return OK;
    });
}

Code cuMemcpyHtoDAsync_v2(uint64_t to, const void* from, size_t size, void* handle) {
    Lock lock(world().lock);
    Stream* stream;
    if (Code code = stream_of(handle, stream)) return code;
    if (!size) return OK;
    Op op;
    op.what = "a copy from the host";
    op.uses = {{to, true}};
    auto source = locked(from, size);
    if (source) {
        op.uses.push_back({(uint64_t)from, false});
        op.run = [=, pending = pend(source)] {
            Code code = whole(to, size, "a copy from the host");
            return code ? code : copy_now((void*)to, from, size, "a copy from the host");
        };
    } else {
        // Memory that is not page-locked has been read when the call returns.
        auto bytes = std::make_shared<std::vector<char>>((const char*)from, (const char*)from + size);
        op.run = [=] {
            Code code = whole(to, size, "a copy from the host");
            return code ? code : copy_now((void*)to, bytes->data(), size, "a copy from the host");
        };
    }
    return queue(stream, std::move(op));
}

Code cuMemcpyDtoHAsync_v2(void* to, uint64_t from, size_t size, void* handle) {
    Lock lock(world().lock);
    Stream* stream;
    if (Code code = stream_of(handle, stream)) return code;
    if (!size) return OK;
    Op op;
    op.what = "a copy to the host";
    op.uses = {{from, false}};
    auto target = locked(to, size);
    if (target) op.uses.push_back({(uint64_t)to, true});
    op.run = [=, pending = pend(target)] {
        Code code = whole(from, size, "a copy to the host");
        return code ? code : copy_now(to, (const void*)from, size, "a copy to the host");
    };
    if (Code code = queue(stream, std::move(op))) return code;
    if (!target && !stream->capture) {
        wait_for(lock, stream);
        return stream->context->failed;
    }
    return OK;
}

static Code copy_within(uint64_t to, uint64_t from, size_t size, void* handle, const char* what, bool across) {
    Lock lock(world().lock);
    Stream* stream;
    if (Code code = stream_of(handle, stream)) return code;
    if (!size) return OK;
    auto source = holding(from), target = holding(to);
    if (!across && source && target && source->device != target->device) {
        violated("a copy within a device is between two");
        return INVALID_VALUE;
    }
    if (source == target && std::max(to, from) < std::min(to, from) + size) violated("a copy overlaps itself");
    Op op;
    op.what = what;
    op.uses = {{to, true}, {from, false}};
    if (source == target) op.uses.pop_back();
    op.run = [=] {
        Code code = whole(to, size, what);
        if (code == OK) code = whole(from, size, what);
        return code ? code : copy_now((void*)to, (const void*)from, size, what);
    };
    return queue(stream, std::move(op));
}

Code cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t size, void* handle) {
    return copy_within(to, from, size, handle, "a copy on the device", false);
}

Code cuMemcpyPeerAsync(uint64_t to, void* to_context, uint64_t from, void* from_context, size_t size, void* handle) {
    {
        Lock lock(world().lock);
        if (!known(world().contexts, to_context, "context") || !known(world().contexts, from_context, "context")) {
            return INVALID_CONTEXT;
        }
        auto source = holding(from), target = holding(to);
        if (!source || !target || source->device != ((Context*)from_context)->device ||
            target->device != ((Context*)to_context)->device) {
            violated("a copy between devices names the wrong contexts");
            return INVALID_VALUE;
        }
    }
    return copy_within(to, from, size, handle, "a copy between devices", true);
}

Code cuMemsetD8Async(uint64_t to, unsigned char value, size_t size, void* handle) {
    Lock lock(world().lock);
    Stream* stream;
    if (Code code = stream_of(handle, stream)) return code;
    if (!size) return OK;
    Op op;
    op.what = "setting memory";
    op.uses = {{to, true}};
    op.run = [=] {
        Code code = whole(to, size, "setting memory");
        if (code == OK) memset((void*)to, value, size);
        return code;
    };
    return queue(stream, std::move(op));
}
}

#include "api_streams.h"

#include "api_programs.h"

#include "api_graphs.h"
