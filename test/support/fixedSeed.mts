import fc from 'fast-check';

// Tests with random values use the same ones each time. Set FAST_CHECK_SEED to use others, as every night does; a failure says its seed.
fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 20_260_101) });
