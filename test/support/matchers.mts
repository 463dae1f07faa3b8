/** Matches any text. */
export const someText: unknown = expect.any(String);

/** Matches a text that has this one in it. */
export const textWith = (part: string): unknown => expect.stringContaining(part);

/** Matches a text of this form. */
export const textLike = (form: RegExp): unknown => expect.stringMatching(form);

/** Matches an object with these fields among others. */
export const like = (fields: object): unknown => expect.objectContaining(fields);
