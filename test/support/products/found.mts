/** What was asked for, or the failure that makes a product respond with 404. */
export function found<Thing>(thing: Thing | undefined, what: string): Thing {
	if (thing === undefined)
		throw Object.assign(new Error(`There is no ${what}`), { statusCode: 404 });
	return thing;
}
