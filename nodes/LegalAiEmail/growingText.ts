/** How long the end of a text grows, in characters, before it is kept as bytes. */
const LONGEST_END = 4_096;

/** A place at the end of a text, to go back to. */
export interface Place {
	chunks: number;
	end: string;
	length: number;
}

/**
 * A text that grows by small pieces. A string would keep all of them until it is read as a whole: half a million take a quarter longer,
 * most of it to collect garbage.
 */
export class GrowingText {
	/** In UTF-16, so that half a character stays as it is. */
	private readonly chunks: Buffer[] = [];
	private end = '';
	/** In characters. */
	length = 0;

	append(text: string) {
		this.end += text;
		this.length += text.length;
		if (this.end.length < LONGEST_END) return;
		this.chunks.push(Buffer.from(this.end, 'utf16le'));
		this.end = '';
	}

	readPlace(): Place {
		return { chunks: this.chunks.length, end: this.end, length: this.length };
	}

	/** Forgets all that was appended behind a place. */
	goBackTo({ chunks, end, length }: Place) {
		this.chunks.length = chunks;
		this.end = end;
		this.length = length;
	}

	toString() {
		return Buffer.concat(this.chunks).toString('utf16le') + this.end;
	}
}
