/** A number with three digits that matter. */
export function tidy(value: number) {
	if (value === 0) return '0';
	const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
	return Number(value.toFixed(Math.min(digits, 3))).toLocaleString('en-US', {
		maximumFractionDigits: 3,
	});
}
