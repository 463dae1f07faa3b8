const { dest, src } = require('gulp');

/** Copies what the compiler leaves behind beside the compiled files: icons, and the codex files of the nodes. */
function copyAssets() {
	return src(['{icons,nodes,credentials}/**/*.svg', 'nodes/**/*.node.json'], { base: '.', encoding: false }).pipe(
		dest('dist'),
	);
}

exports.default = copyAssets;
