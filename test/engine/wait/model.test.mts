import { holdsInAnyOrder } from '../../support/wait/model.mts';
import { test } from '../../support/fixtures.mts';
import { subjects } from '../../support/wait/subjects.mts';

const MINUTES = 60_000;

describe('questions are never asked twice, and answers are never lost, changed or output twice:', () => {
	test.for(subjects)(
		'$name, up to three questions, after random sequences of up to twelve events that reach every event',
		{ timeout: 10 * MINUTES },
		(subject, { service, clock }) => holdsInAnyOrder({ service, clock }, subject),
	);
});
