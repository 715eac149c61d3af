//! Ops that check values, and ops that write to the log.

family! {
    assert: Assert;
    check_numerics: CheckNumerics, CheckNumericsV2;
    print: Print;
    print_v2: PrintV2;
    scalar_summary: MergeSummary, ScalarSummary;
    timestamp: Timestamp;
}
