// Streams: threads that do queued work, and check its uses of memory.

#pragma once
#include "memory.h"

namespace {
// Compares uses with earlier ones, and records them. The lock is held.
Code ordered(Stream* stream, uint64_t place_in, const Op& op) {
    Code code = OK;
    for (const Use& use : op.uses) {
        auto found = holding(use.address);
        if (!found) continue;
        Allocation& a = *found;
        if (a.device && !op.frees && (!a.there || a.freed)) {
            violated("%s uses memory that %s", op.what, a.freed ? "is freed" : "is not there yet");
            code = ILLEGAL_ADDRESS;
        }
        auto unordered = [&](size_t other, uint64_t when) { return other != stream->number && at(stream->clock, other) < when; };
        const char* other = nullptr;
        if (a.writer != SIZE_MAX && unordered(a.writer, a.written)) other = a.write_name;
        if (use.writes)
            for (auto& [reader, when] : a.readers)
                if (unordered(reader, when.first)) other = when.second;
        if (other) {
            violated("%s %s memory of %llu bytes that %s uses on another stream, with nothing to order them", op.what,
                use.writes ? "writes" : "reads", (unsigned long long)a.size, other);
            code = LAUNCH_FAILED;
        }
        if (use.writes) {
            a.writer = stream->number;
            a.written = place_in;
            a.write_name = op.what;
            a.readers.clear();
        } else {
            a.readers[stream->number] = {place_in, op.what};
        }
    }
    return code;
}

void work(Stream* stream) {
    World& w = world();
    uint64_t random = shuffled(w.seed * 1000003 + stream->number);
    Lock lock(w.lock);
    for (;;) {
        w.changed.wait(lock, [&] { return !stream->queue.empty() || stream->destroyed; });
        if (stream->queue.empty()) break;
        Op& op = stream->queue.front();
        merge(stream->clock, *op.host);
        if (op.wait) {
            w.changed.wait(lock, [&] { return op.wait->done; });
            merge(stream->clock, op.wait->clock);
        }
        uint64_t count = ++stream->done;
        if (stream->clock.size() <= stream->number) stream->clock.resize(stream->number + 1);
        stream->clock[stream->number] = count;
        Context* context = stream->context;
        random = shuffled(random);
        if (w.delay && random % 16 == 0) {
            lock.unlock();
            std::this_thread::sleep_for(std::chrono::microseconds(random / 16 % w.delay));
            lock.lock();
        }
        if (op.run && context->failed == OK) {
            Code code = ordered(stream, count, op);
            lock.unlock();
            if (code == OK) code = op.run();
            lock.lock();
            if (code != OK && context->failed == OK) context->failed = code;
        }
        if (op.mark) {
            op.mark->clock = stream->clock;
            op.mark->time = std::chrono::steady_clock::now();
            op.mark->done = true;
        }
        // Its contents are dropped without the lock, since that may run the caller's code.
        Op done = std::move(stream->queue.front());
        stream->queue.pop_front();
        lock.unlock();
        done = Op();
        w.changed.notify_all();
        lock.lock();
    }
    // The handle is gone already.
    delete stream;
}

// Queues on a stream, or adds to the graph that it captures. The lock is held.
Code queue(Stream* stream, Op op) {
    World& w = world();
    if (stream->capture) {
        Capture& capture = *stream->capture;
        if (capture.invalid) return CAPTURE_INVALIDATED;
        capture.nodes.push_back(Node{op.what, std::move(op.uses), std::move(op.run), stream->tail});
        stream->tail = {capture.nodes.size() - 1};
        return OK;
    }
    op.host = w.host;
    stream->queue.push_back(std::move(op));
    w.changed.notify_all();
    return OK;
}

// The host knows everything that this clock knows. The lock is held.
void heard(const Clock& clock) {
    auto known = std::make_shared<Clock>(*world().host);
    merge(*known, clock);
    world().host = known;
}

Stream* make_stream(Context* context) {
    World& w = world();
    Stream* stream = new Stream{};
    stream->context = context;
    stream->number = w.numbers++;
    w.streams.insert(stream);
    std::thread(work, stream).detach();
    return stream;
}

// The stream of a handle: null is the current context's own. The lock is held.
Code stream_of(void* handle, Stream*& stream) {
    World& w = world();
    if (!handle) {
        if (!current) return INVALID_CONTEXT;
        if (!current->legacy) current->legacy = make_stream(current);
        stream = current->legacy;
    } else if (!w.streams.count(handle)) {
        violated("there is no stream %p", handle);
        return INVALID_HANDLE;
    } else {
        stream = (Stream*)handle;
    }
    return stream->context->failed;
}

void wait_for(Lock& lock, Stream* stream) {
    auto mark = std::make_shared<Mark>();
    Op op;
    op.what = "waiting";
    op.mark = mark;
    op.host = world().host;
    stream->queue.push_back(std::move(op));
    world().changed.notify_all();
    world().changed.wait(lock, [&] { return mark->done; });
    heard(mark->clock);
}

// Whether a capture is active that forbids calls that may change what is captured, and the error for that; it
// invalidates the capture of this thread. The lock is held.
Code unsafe_now(const char* what) {
    for (auto& weak : world().captures) {
        auto capture = weak.lock();
        if (!capture || capture->invalid || capture->mode == 2) continue;
        if (capture->mode == 0 || capture->thread == std::this_thread::get_id()) {
            capture->invalid = true;
            violated("%s while a stream is captured", what);
            return CAPTURE_UNSUPPORTED;
        }
    }
    return OK;
}
} // namespace
