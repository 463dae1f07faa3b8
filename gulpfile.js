const { dest, src } = require('gulp');

/** Copies what the compiler leaves behind: icons, the codex files of the nodes, and what their output items have, for the editor. */
exports.default = () =>
	src(
		['{icons,nodes,credentials}/**/*.svg', 'nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'],
		{
			base: '.',
			encoding: false,
		},
	).pipe(dest('dist'));
