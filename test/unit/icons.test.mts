import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

const iconsFolder = join(import.meta.dirname, '../../icons');

/** WCAG 2.2 asks this much of graphics (1.4.11, non-text contrast). */
const leastContrast = 3;

/** The relative luminance of a color such as `#1f3a5f`, from 0 (black) to 1 (white), as WCAG defines it. */
function luminance(color: string): number {
	const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
		const channel = parseInt(color.slice(start, start + 2), 16) / 255;
		return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
	const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((low, high) => low - high);
	return (lighter + 0.05) / (darker + 0.05);
}

// What n8n draws icons on: the canvas's nodes and the lists, in either theme.
test.each([
	['legalAi.svg', ['#ffffff', '#f4f4f4']],
	['legalAi.dark.svg', ['#171717', '#2b2b2b']],
])('every color of %s stands out from what n8n draws it on', (file, backgrounds) => {
	const colors = new Set(readFileSync(join(iconsFolder, file), 'utf8').match(/#[0-9a-f]{6}/g));
	expect(colors.size).toBeGreaterThan(1);
	for (const color of colors) {
		for (const background of backgrounds) expect(contrast(color, background)).toBeGreaterThanOrEqual(leastContrast);
	}
});
