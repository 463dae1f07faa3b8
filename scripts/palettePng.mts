import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const maxColors = 256;

/** Pixels of three bytes, row by row. */
interface Pixels {
	readonly width: number;
	readonly height: number;
	readonly rgb: Buffer;
}

/**
 * The same picture in 256 colors, the ones that occur most often; other pixels get the nearest of them. A third of the
 * size for screenshots, which have few colors.
 *
 * @throws {Error} where the PNG is not one that a browser's screenshot is: 8 bits, RGB or RGBA, not interlaced
 */
export function palettePng(png: Buffer): Buffer {
	const { width, height, rgb } = decode(png);
	const counts = new Map<number, number>();
	for (let at = 0; at < rgb.length; at += 3) {
		const color = rgb.readUIntBE(at, 3);
		counts.set(color, (counts.get(color) ?? 0) + 1);
	}
	const palette = paletteOf(counts);
	const indexes = new Map([...counts.keys()].map((color) => [color, nearest(palette, color)]));
	const rows = Buffer.alloc(height * (width + 1));
	for (let y = 0; y < height; y += 1) {
		for (let x = 0; x < width; x += 1) {
			rows[y * (width + 1) + 1 + x] = indexes.get(rgb.readUIntBE((y * width + x) * 3, 3)) ?? 0;
		}
	}
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	header.set([8, 3, 0, 0, 0], 8);
	const colors = Buffer.alloc(palette.length * 3);
	palette.forEach((color, index) => colors.writeUIntBE(color, index * 3, 3));
	return Buffer.concat([
		signature,
		chunk('IHDR', header),
		chunk('PLTE', colors),
		chunk('IDAT', deflateSync(rows, { level: 9 })),
		chunk('IEND', Buffer.alloc(0)),
	]);
}

/** The most frequent colors; of those that the eye can hardly tell apart (shades of an edge), one. */
function paletteOf(counts: ReadonlyMap<number, number>): number[] {
	const groups = new Map<number, { color: number; most: number; total: number }>();
	for (const [color, count] of counts) {
		const group = groups.get(color & 0xf8f8f8) ?? { color, most: 0, total: 0 };
		const isMoreFrequent = count > group.most;
		groups.set(color & 0xf8f8f8, {
			color: isMoreFrequent ? color : group.color,
			most: isMoreFrequent ? count : group.most,
			total: group.total + count,
		});
	}
	const byFrequency = [...groups.values()].sort((one, other) => other.total - one.total);
	return byFrequency.slice(0, maxColors).map(({ color }) => color);
}

function nearest(palette: readonly number[], color: number): number {
	let best = 0;
	let least = Infinity;
	for (const [index, candidate] of palette.entries()) {
		const [red, green, blue] = [16, 8, 0].map((shift) => ((color >> shift) & 255) - ((candidate >> shift) & 255));
		const distance = (red ?? 0) ** 2 + (green ?? 0) ** 2 + (blue ?? 0) ** 2;
		if (distance < least) [best, least] = [index, distance];
	}
	return best;
}

function chunk(type: string, data: Buffer): Buffer {
	const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	const length = Buffer.alloc(4);
	length.writeUInt32BE(data.length);
	const check = Buffer.alloc(4);
	check.writeUInt32BE(crc32(typed));
	return Buffer.concat([length, typed, check]);
}

function decode(png: Buffer): Pixels {
	const data: Buffer[] = [];
	let [width, height, samples] = [0, 0, 0];
	for (let at = signature.length; at < png.length; ) {
		const length = png.readUInt32BE(at);
		const content = png.subarray(at + 8, at + 8 + length);
		const type = png.toString('latin1', at + 4, at + 8);
		if (type === 'IHDR') {
			[width, height] = [content.readUInt32BE(0), content.readUInt32BE(4)];
			samples = content[9] === 2 ? 3 : 4;
			if (content[8] !== 8 || ![2, 6].includes(content[9] ?? 0) || content[12] !== 0) throw new Error('Not a screenshot');
		}
		if (type === 'IDAT') data.push(content);
		at += length + 12;
	}
	return { width, height, rgb: withoutFilters(inflateSync(Buffer.concat(data)), width, height, samples) };
}

/** Undoes the filters of each row (PNG specification, "Filtering"), and drops the alpha sample. */
function withoutFilters(filtered: Buffer, width: number, height: number, samples: number): Buffer {
	const stride = width * samples;
	const raw = Buffer.alloc(stride * height);
	const rgb = Buffer.alloc(width * height * 3);
	for (let y = 0; y < height; y += 1) {
		const filter = filtered[y * (stride + 1)];
		for (let x = 0; x < stride; x += 1) {
			const at = y * stride + x;
			const left = x < samples ? 0 : (raw[at - samples] ?? 0);
			const up = y === 0 ? 0 : (raw[at - stride] ?? 0);
			const corner = x < samples || y === 0 ? 0 : (raw[at - stride - samples] ?? 0);
			const predicted = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0;
			raw[at] = (filtered[y * (stride + 1) + 1 + x] ?? 0) + predicted;
		}
		for (let x = 0; x < width; x += 1) raw.copy(rgb, (y * width + x) * 3, y * stride + x * samples, y * stride + x * samples + 3);
	}
	return rgb;
}

function paeth(left: number, up: number, corner: number): number {
	const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
	if (toLeft <= toUp && toLeft <= toCorner) return left;
	return toUp <= toCorner ? up : corner;
}
