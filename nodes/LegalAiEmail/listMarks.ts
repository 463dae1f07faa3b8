/** The names of CSS for how items are marked; what else there is looks like the usual mark of a list. */
const MARKER = /\b(none|disc|circle|square|decimal|(lower|upper)-(alpha|latin|roman))\b/;
const BULLETS = ['disc', 'circle', 'square'];
const TYPES = new Map([
	['1', 'decimal'],
	['a', 'lower-alpha'],
	['A', 'upper-alpha'],
	['i', 'lower-roman'],
	['I', 'upper-roman'],
]);

/** Finds the name of a marker in a style, or in HTML's attribute `type`. */
export function findMarker(style?: string, type?: string) {
	return MARKER.exec(style ?? '')?.[0] ?? TYPES.get(type ?? '');
}

/** The mark of an item: its number, a dash for a bullet, '' for none. */
export function writeMark(marker: string, number: number) {
	if (marker === 'decimal') return `${number}.`;
	if (marker === 'none') return '';
	if (BULLETS.includes(marker)) return '-';
	const digits = writeDigits(marker, number);
	return marker.startsWith('upper') ? `${digits.toUpperCase()}.` : `${digits}.`;
}

function writeDigits(marker: string, number: number) {
	if (/alpha|latin/.test(marker) && number > 0) return writeLetters(number);
	if (marker.endsWith('roman') && number > 0 && number < 4_000) return writeRoman(number);
	return String(number);
}

/** a to z, aa, ab, … */
function writeLetters(number: number): string {
	if (number === 0) return '';
	const last = (number - 1) % 26;
	return writeLetters((number - 1 - last) / 26) + String.fromCharCode(97 + last);
}

const ROMAN_DIGITS = [
	...['', 'i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix'],
	...['', 'x', 'xx', 'xxx', 'xl', 'l', 'lx', 'lxx', 'lxxx', 'xc'],
	...['', 'c', 'cc', 'ccc', 'cd', 'd', 'dc', 'dcc', 'dccc', 'cm'],
	...['', 'm', 'mm', 'mmm'],
];

function writeRoman(number: number) {
	const digits = [...String(number)].reverse();
	return digits
		.map((digit, place) => ROMAN_DIGITS[10 * place + Number(digit)])
		.reverse()
		.join('');
}
