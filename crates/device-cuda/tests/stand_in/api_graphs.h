// Calls about graphs. It is part of cuda.cpp.

#pragma once

extern "C" {
Code cuStreamBeginCapture_v2(void* handle, int mode) {
    World& w = world();
    Lock lock(w.lock);
    Stream* stream;
    if (Code code = stream_of(handle, stream)) return code;
    if (!handle || stream->capture || mode < 0 || mode > 2) {
        violated("a stream cannot be captured");
        return CAPTURE_UNSUPPORTED;
    }
    auto capture = std::make_shared<Capture>();
    capture->origin = stream;
    capture->thread = std::this_thread::get_id();
    capture->mode = mode;
    capture->streams.insert(stream);
    stream->capture = capture;
    stream->tail.clear();
    w.captures.push_back(capture);
    return OK;
}

Code cuStreamEndCapture(void* handle, void** graph) {
    World& w = world();
    Lock lock(w.lock);
    *graph = nullptr;
    Stream* stream;
    if (Code code = stream_of(handle, stream)) return code;
    auto capture = stream->capture;
    if (!capture) {
        violated("a capture ends that did not begin");
        return INVALID_VALUE;
    }
    if (capture->origin != stream) {
        capture->invalid = true;
        violated("a capture ends on another stream than it began on");
        return CAPTURE_UNMATCHED;
    }
    if (capture->mode != 2 && capture->thread != std::this_thread::get_id()) {
        violated("a capture ends on another thread than it began on");
        return CAPTURE_WRONG_THREAD;
    }
    // The nodes that precede the last one of this stream.
    std::vector<bool> joined(capture->nodes.size());
    std::vector<size_t> open = stream->tail;
    while (!open.empty()) {
        size_t node = open.back();
        open.pop_back();
        if (joined[node]) continue;
        joined[node] = true;
        open.insert(open.end(), capture->nodes[node].after.begin(), capture->nodes[node].after.end());
    }
    bool all = true;
    for (Stream* one : capture->streams) {
        if (!w.streams.count(one)) continue;
        for (size_t node : one->tail) all = all && joined[node];
        one->capture = nullptr;
        one->tail.clear();
    }
    w.captures.erase(std::remove_if(w.captures.begin(), w.captures.end(),
                         [&](auto& weak) { return weak.expired() || weak.lock() == capture; }),
        w.captures.end());
    if (capture->invalid) return CAPTURE_INVALIDATED;
    if (!all) {
        violated("a captured stream was not joined");
        return CAPTURE_UNJOINED;
    }
    Graph* made = new Graph{std::move(capture->nodes)};
    w.graphs.insert(made);
    *graph = made;
    return OK;
}

Code cuStreamIsCapturing(void* handle, int* status) {
    Lock lock(world().lock);
    Stream* stream;
    if (Code code = stream_of(handle, stream)) return code;
    *status = !stream->capture ? 0 : stream->capture->invalid ? 2 : 1;
    return OK;
}

Code cuGraphGetNodes(void* handle, void** nodes, size_t* count) {
    Lock lock(world().lock);
    if (!known(world().graphs, handle, "graph")) return INVALID_VALUE;
    if (nodes) return INVALID_VALUE;
    *count = ((Graph*)handle)->nodes.size();
    return OK;
}

Code cuGraphInstantiateWithFlags(void** exec, void* handle, unsigned long long) {
    World& w = world();
    Lock lock(w.lock);
    if (!known(w.graphs, handle, "graph")) return INVALID_VALUE;
    Graph& graph = *(Graph*)handle;
    // What precedes each node, directly or not, and whether nodes that use the same memory are ordered.
    size_t count = graph.nodes.size();
    std::vector<std::vector<bool>> before(count, std::vector<bool>(count));
    for (size_t i = 0; i < count; i++) {
        for (size_t one : graph.nodes[i].after) {
            before[i][one] = true;
            for (size_t j = 0; j < one; j++)
                if (before[one][j]) before[i][j] = true;
        }
        for (const Use& use : graph.nodes[i].uses) {
            auto found = holding(use.address);
            for (size_t j = 0; found && j < i; j++) {
                if (before[i][j]) continue;
                for (const Use& other : graph.nodes[j].uses)
                    if ((use.writes || other.writes) && holding(other.address) == found)
                        violated("in a graph %s and %s use the same memory, with nothing to order them", graph.nodes[i].what,
                            graph.nodes[j].what);
            }
        }
    }
    auto made = new std::shared_ptr<Graph>(std::make_shared<Graph>(graph));
    w.execs.insert(made);
    *exec = made;
    return OK;
}

Code cuGraphLaunch(void* handle, void* on) {
    World& w = world();
    Lock lock(w.lock);
    if (!known(w.execs, handle, "executable graph")) return INVALID_VALUE;
    Stream* stream;
    if (Code code = stream_of(on, stream)) return code;
    if (stream->capture) {
        stream->capture->invalid = true;
        violated("a graph is launched on a stream that is captured, which is not done here");
        return CAPTURE_UNSUPPORTED;
    }
    auto graph = *(std::shared_ptr<Graph>*)handle;
    Op op;
    op.what = "a graph";
    std::map<uint64_t, bool> uses;
    for (const Node& node : graph->nodes)
        for (const Use& use : node.uses)
            if (auto found = holding(use.address)) uses[found->start] = uses[found->start] || use.writes;
    for (auto& [address, writes] : uses) op.uses.push_back({address, writes});
    op.run = [graph, &w]() -> Code {
        // In a possible order, a different one each time.
        std::vector<bool> done(graph->nodes.size());
        for (size_t left = done.size(); left;) {
            std::vector<size_t> ready;
            for (size_t i = 0; i < done.size(); i++) {
                auto& after = graph->nodes[i].after;
                if (!done[i] && std::all_of(after.begin(), after.end(), [&](size_t one) { return done[one]; })) ready.push_back(i);
            }
            size_t next = ready[shuffled(w.seed + left) % ready.size()];
            if (Code code = graph->nodes[next].run()) return code;
            done[next] = true;
            left--;
        }
        return OK;
    };
    return queue(stream, std::move(op));
}

Code cuGraphUpload(void* handle, void*) {
    Lock lock(world().lock);
    return known(world().execs, handle, "executable graph") ? OK : INVALID_VALUE;
}

Code cuGraphExecDestroy(void* handle) {
    Lock lock(world().lock);
    if (!known(world().execs, handle, "executable graph")) return INVALID_VALUE;
    world().execs.erase(handle);
    delete (std::shared_ptr<Graph>*)handle;
    return OK;
}

Code cuGraphDestroy(void* handle) {
    Lock lock(world().lock);
    if (!known(world().graphs, handle, "graph")) return INVALID_VALUE;
    world().graphs.erase(handle);
    delete (Graph*)handle;
    return OK;
}

Code cuThreadExchangeStreamCaptureMode(int* mode) {
    thread_local int now = 0;
    std::swap(now, *mode);
    return OK;
}
}
