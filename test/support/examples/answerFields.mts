/** An answer whose end has the values of answer fields. */
export const answerFields = (answer: string, fields: unknown): string =>
	`${answer}\n\n\`\`\`json\n${JSON.stringify(fields)}\n\`\`\``;
