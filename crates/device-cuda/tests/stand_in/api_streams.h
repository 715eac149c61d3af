// Calls about streams and events. It is part of cuda.cpp.

#pragma once

extern "C" {
Code cuStreamCreate(void** stream, unsigned flags) {
    Lock lock(world().lock);
    Context* context;
    if (Code code = context_now(context)) return code;
    if (flags > 1) return INVALID_VALUE;
    *stream = make_stream(context);
    return OK;
}

Code cuStreamCreateWithPriority(void** stream, unsigned flags, int) { return cuStreamCreate(stream, flags); }

Code cuStreamDestroy_v2(void* handle) {
    World& w = world();
    Lock lock(w.lock);
    if (!handle || !known(w.streams, handle, "stream")) return INVALID_HANDLE;
    Stream* stream = (Stream*)handle;
    Code code = stream->context->failed;
    if (stream->capture) stream->capture->invalid = true;
    w.streams.erase(handle);
    stream->destroyed = true;
    w.changed.notify_all();
    return code;
}

Code cuStreamSynchronize(void* handle) {
    Lock lock(world().lock);
    Stream* stream;
    if (Code code = stream_of(handle, stream)) return code;
    if (stream->capture) {
        stream->capture->invalid = true;
        violated("a stream that is captured is waited for");
        return CAPTURE_UNSUPPORTED;
    }
    wait_for(lock, stream);
    return stream->context->failed;
}

Code cuStreamQuery(void* handle) {
    Lock lock(world().lock);
    Stream* stream;
    if (Code code = stream_of(handle, stream)) return code;
    if (stream->capture) {
        stream->capture->invalid = true;
        violated("a stream that is captured is asked how far it is");
        return CAPTURE_UNSUPPORTED;
    }
    if (!stream->queue.empty()) return NOT_READY;
    heard(stream->clock);
    return OK;
}

Code cuEventCreate(void** event, unsigned flags) {
    Lock lock(world().lock);
    Context* context;
    if (Code code = context_now(context)) return code;
    if (flags > 3) return INVALID_VALUE;
    Event* made = new Event{};
    made->context = context;
    made->flags = flags;
    world().events.insert(made);
    *event = made;
    return OK;
}

Code cuEventDestroy_v2(void* handle) {
    Lock lock(world().lock);
    if (!known(world().events, handle, "event")) return INVALID_HANDLE;
    Code code = ((Event*)handle)->context->failed;
    world().events.erase(handle);
    delete (Event*)handle;
    return code;
}

Code cuEventRecord(void* handle, void* on) {
    Lock lock(world().lock);
    if (!known(world().events, handle, "event")) return INVALID_HANDLE;
    Event* event = (Event*)handle;
    Stream* stream;
    if (Code code = stream_of(on, stream)) return code;
    if (event->context != stream->context) {
        violated("an event of one context is recorded on a stream of another");
        return INVALID_HANDLE;
    }
    if (stream->capture) {
        if (stream->capture->invalid) return CAPTURE_INVALIDATED;
        event->capture = stream->capture;
        event->captured = stream->tail;
        event->was_captured = true;
        event->mark = nullptr;
        return OK;
    }
    event->was_captured = false;
    event->mark = std::make_shared<Mark>();
    Op op;
    op.what = "an event";
    op.mark = event->mark;
    return queue(stream, std::move(op));
}

Code cuEventRecordWithFlags(void* handle, void* on, unsigned) { return cuEventRecord(handle, on); }

Code cuStreamWaitEvent(void* on, void* handle, unsigned flags) {
    Lock lock(world().lock);
    if (!known(world().events, handle, "event")) return INVALID_HANDLE;
    Event* event = (Event*)handle;
    Stream* stream;
    if (Code code = stream_of(on, stream)) return code;
    if (flags) return INVALID_VALUE;
    if (event->was_captured) {
        auto capture = event->capture.lock();
        if (!capture) {
            violated("an event is waited for that was recorded in a capture that has ended");
            return CAPTURED_EVENT;
        }
        if (capture->invalid) return CAPTURE_INVALIDATED;
        if (stream->capture && stream->capture != capture) {
            stream->capture->invalid = capture->invalid = true;
            violated("two captures are joined");
            return CAPTURE_MERGE;
        }
        stream->capture = capture;
        capture->streams.insert(stream);
        for (size_t node : event->captured)
            if (std::find(stream->tail.begin(), stream->tail.end(), node) == stream->tail.end()) stream->tail.push_back(node);
        return OK;
    }
    if (!event->mark) return OK;
    if (stream->capture) {
        stream->capture->invalid = true;
        violated("a stream that is captured waits for what is not captured");
        return CAPTURE_ISOLATION;
    }
    Op op;
    op.what = "a wait";
    op.wait = event->mark;
    return queue(stream, std::move(op));
}

static Code event_now(void* handle, Event*& event, const char* what) {
    if (!known(world().events, handle, "event")) return INVALID_HANDLE;
    event = (Event*)handle;
    if (event->context->failed) return event->context->failed;
    if (event->was_captured) {
        if (auto capture = event->capture.lock()) capture->invalid = true;
        violated("%s of an event that was captured", what);
        return CAPTURED_EVENT;
    }
    return OK;
}

Code cuEventQuery(void* handle) {
    Lock lock(world().lock);
    Event* event;
    if (Code code = event_now(handle, event, "a query")) return code;
    if (Code code = unsafe_now("cuEventQuery")) return code;
    if (!event->mark) return OK;
    if (!event->mark->done) return NOT_READY;
    heard(event->mark->clock);
    return event->context->failed;
}

Code cuEventSynchronize(void* handle) {
    Lock lock(world().lock);
    Event* event;
    if (Code code = event_now(handle, event, "waiting for")) return code;
    Context* context = event->context;
    auto mark = event->mark;
    if (!mark) return OK;
    world().changed.wait(lock, [&] { return mark->done; });
    heard(mark->clock);
    return context->failed;
}

Code cuEventElapsedTime_v2(float* milliseconds, void* start, void* end) {
    Lock lock(world().lock);
    Event *a, *b;
    if (Code code = event_now(start, a, "the time")) return code;
    if (Code code = event_now(end, b, "the time")) return code;
    if (!a->mark || !b->mark || (a->flags | b->flags) & 2 || a->context != b->context) {
        violated("times are asked of events that have none");
        return INVALID_HANDLE;
    }
    if (!a->mark->done || !b->mark->done) return NOT_READY;
    *milliseconds = std::chrono::duration<float, std::milli>(b->mark->time - a->mark->time).count();
    return OK;
}

Code cuEventElapsedTime(float* milliseconds, void* start, void* end) { return cuEventElapsedTime_v2(milliseconds, start, end); }

Code cuLaunchHostFunc(void* handle, void (*function)(void*), void* data) {
    Lock lock(world().lock);
    Stream* stream;
    if (Code code = stream_of(handle, stream)) return code;
    Op op;
    op.what = "a host function";
    op.run = [=] {
        {
            Lock lock(world().lock);
            heard(stream->clock);
        }
        function(data);
        return OK;
    };
    return queue(stream, std::move(op));
}
}
