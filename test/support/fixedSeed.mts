import fc from 'fast-check';

// Tests that make values up at random try the same ones each time. FAST_CHECK_SEED has them try others.
fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 20_260_101) });
