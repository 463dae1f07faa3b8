/** What an example has written to somebody: a message, a comment, an email. */
export interface Written {
	/** What it is, as the heading of a picture. */
	title: string;
	/** Whom it is for: an address, or the ID of what it replies to. */
	to: string;
	text: string;
	/** The names of its files. */
	files: string[];
	isDraft?: boolean;
}
