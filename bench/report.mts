// `node bench/report.mts`: writes RESULTS.md and its plots anew from bench/figures/, as each bench does at its end.
import { writeReport } from './support/report.mts';

await writeReport();
