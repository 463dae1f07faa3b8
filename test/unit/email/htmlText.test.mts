import { htmlToText } from '../../../nodes/LegalAiEmail/htmlText.ts';
import { unwrapLinks } from '../../../nodes/LegalAiEmail/links.ts';

const inner = 'https://drive.google.com/file/d/1aB/view?usp=x';
const [once, twice] = [encodeURIComponent(inner), encodeURIComponent(encodeURIComponent(inner))];
const proofpoint = 'https-3A__drive.google.com_file_d_1aB_view-3Fusp-3Dx';

test.each([
	[
		'Tom &amp; J&#252;rgen&rsquo;s &#146;x&#x2019; &euro;5 &unknown; &#x110000;',
		'Tom & Jürgen’s ’x’ €5 &unknown; \ufffd',
	],
	[
		'One\n two<br>three<p>Four</p><div>Five</div><div><br></div><div>Six<br></div>Seven',
		'One two\nthree\n\nFour\n\nFive\n\nSix\nSeven',
	],
	[
		'<p class=MsoNormal>One</p><p class=MsoNormal>&nbsp;</p><p style="margin:0">Two</p>Three',
		'One\n\nTwo\nThree',
	],
	[
		'<ol><li>One<li><p>Two</p><ol start=3><li>Three</ol></li></ol>End',
		'1. One\n2. Two\n\n3. Three\nEnd',
	],
	[
		'<ol start="7"><li>Term</li><li value="12">Cap</li><li></li><li>Law</li></ol>',
		'7. Term\n12. Cap\n13.\n14. Law',
	],
	['<ol><li>One<ul><li>Dash</ul></li><li>Two</ol>', '1. One\n- Dash\n2. Two'],
	[
		'<table><tr><td>Cap</td><td></td><td><p>12</p><p>months</p></td></tr><tr><td><td>24<td></table>Bye',
		'Cap |  | 12\n\nmonths\n\n| 24 |\nBye',
	],
	[
		'<table><tr><td><ul><li>A</li></ul></td><td> </td><td> </td><td>B</td></tr></table>',
		'- A\n|  |  | B',
	],
	['<a href="https://x.example/"><div>&nbsp;<img></div></a><s>&nbsp;</s>', ''],
	[
		'<table><tr><td></td><td> </td></tr><tr><td><table><tr><td>One cell</td></tr></table></td></tr></table>',
		'One cell',
	],
	[
		'for <s>12 </s><ins>24</ins> months, <span style="text-decoration:line-through">not <b>this</b><br>nor this</span>.',
		'for ~~12~~ 24 months, ~~not this~~\n~~nor this~~.',
	],
	['<del>One</del><strike>two</strike> <s> </s>3', '~~Onetwo~~ 3'],
	['10<sup>6</sup> EUR<sup></sup>', '10^6 EUR'],
	[
		'<blockquote>One<p>two</p><blockquote><div>three</div></blockquote></blockquote>four',
		'> One\n\n> two\n\n> > three\nfour',
	],
	[
		'see <a href="https://x.example/a?b=1&amp;c=2">the <b>draft</b></a>, <a href="https://www.y.example/">y.example</a>, <a href="mailto:a@b.example?subject=x">a@b.example</a>, <a href="#top">top</a>',
		'see the draft <https://x.example/a?b=1&c=2>, y.example, a@b.example, top',
	],
	[`<a href="https://l.example/"><img src=x></a><a href="${inner}"><img src=x></a>`, `<${inner}>`],
	[
		`<a href="https://eur03.safelinks.protection.outlook.com/?url=${once}&amp;data=05%7C02&amp;reserved=0">NDA</a>`,
		`NDA <${inner}>`,
	],
	[`<a href="https://gateway.example/go?x=1&amp;to=${twice}&amp;y=2">NDA</a>`, `NDA <${inner}>`],
	[`<a href="https://secure-web.cisco.com/1aB/${once}">NDA</a>`, `NDA <${inner}>`],
	[`<a href="https://urldefense.com/v3/__${inner}__;!!aB!c$">NDA</a>`, `NDA <${inner}>`],
	[
		`<a href="https://urldefense.proofpoint.com/v2/url?u=${proofpoint}&amp;d=a">NDA</a>`,
		`NDA <${inner}>`,
	],
	[`<a href="https://www.google.com/url?q=${inner}&amp;sa=D">NDA</a>`, `NDA <${inner}>`],
	[
		`<a href="https://p.example/?url=${encodeURIComponent(`https://q.example/?u=${once}`)}">NDA</a>`,
		`NDA <${inner}>`,
	],
	[
		'<style>p{}</style><title>T</title><!-- c --><![if !x]>A<![endif]><script>1<2</script><template>t</template>B',
		'AB',
	],
	...[
		...[
			'style="display:none"',
			'style="color:red; visibility: hidden"',
			'hidden',
			'style="font-size:0px"',
			'style="max-height:0px;overflow:hidden"',
			'style="max-height:0!important;overflow:hidden!important"',
			'style="height:0;overflow:hidden"',
			'style="width:0;overflow:hidden"',
			'style="font:0/0 a"',
			'style="display:none!important;display:inline"',
		],
		...['style="opacity:0"', "style='mso-hide:all;display:none !important'"],
	].map((hidden) => [`A<span ${hidden}>not<i>this</i></span>B`, 'AB']),
	[
		'<table><tr><td style="font-size:0"><div style="font-size:12px">A</div></td></tr></table><p style="opacity:0.5">B</p>',
		'A\n\nB',
	],
	[
		'<p style="display:none">A</p><p>B<p title=" style=\'display:none\'" style="color:red">C',
		'B\n\nC',
	],
	// Lines that are set as lines
	['<p>See</p><pre>\nCap:  12\n\n  a) fees\n</pre>End', 'See\n\nCap:  12\n\n  a) fees\n\nEnd'],
	['<div style="white-space:pre-wrap">One\n  two<br>three</div>', 'One\n  two\nthree'],
	['<pre>One\n<span style="white-space:normal">two\nthree</span></pre>', 'One\ntwo three'],
	['<div style="white-space:nowrap">One\n  two</div>', 'One two'],
	['<pre><b>One\n</b>two</pre>', 'One\ntwo'],
	['<pre wrap>see https://a.example/x  now</pre>', 'see https://a.example/x  now'],
	// Marks of lists
	['<ol type="a"><li>One<li>Two</ol><ol type=A><li>One</ol>', 'a. One\nb. Two\nA. One'],
	['<ol type="i" start=4><li>One<li>Two</ol><ol type=I><li>One</ol>', 'iv. One\nv. Two\nI. One'],
	['<ol style="list-style-type: lower-alpha" start="26"><li>One<li>Two</ol>', 'z. One\naa. Two'],
	['<ol style="list-style:upper-roman inside"><li value=1994>One</ol>', 'MCMXCIV. One'],
	['<ol><li style="list-style-type:lower-latin">One<li type="I">Two</ol>', 'a. One\nII. Two'],
	['<ol reversed><li>One<li>Two<li>Three</ol>', '3. One\n2. Two\n1. Three'],
	['<ol reversed start=9 type=a><li>One<li value=3>Two<li>Three</ol>', 'i. One\nc. Two\nb. Three'],
	['<ol reversed><li>One<ol type=a><li>In</ol><li>Two</ol>', '2. One\na. In\n1. Two'],
	['<ul style="list-style-type:none"><li>One<li>Two</ul>', 'One\nTwo'],
	[
		'<ul type="square"><li>One</ul><ul style="list-style-type:decimal"><li>Two</ul>',
		'- One\n1. Two',
	],
	[
		'<ol type="i"><li value="0">One<li value="-3">Two<li value="4000">Three</ol>',
		'0. One\n-3. Two\n4000. Three',
	],
	['<ol type="x"><li>One</ol><li>Two', '1. One\n- Two'],
	// An archive shows what was
	[
		`<a href="https://web.archive.org/web/2020/${inner}">terms</a>`,
		`terms <https://web.archive.org/web/2020/${inner}>`,
	],
	[
		`<a href="https://eur03.safelinks.protection.outlook.com/?url=${encodeURIComponent('https://archive.ph/2020/https://x.example/')}">terms</a>`,
		'terms <https://archive.ph/2020/https://x.example/>',
	],
	['1 < 2 & 3 > 2 <b', '1 < 2 & 3 > 2'],
	['<p style="margin:0 0 12px">One</p><p style="margin:0px">Two</p>Three', 'One\n\nTwo\nThree'],
	['<b><i>a</b>b</i></p>c</table>', 'abc'],
	[
		'<p style="height:0">A</p><p style="height:12px;overflow:hidden;font:italic 12px/1.0 a">B</p>',
		'A\n\nB',
	],
	['<span style="display:block">Cap 12</span><span style="display:block">24</span>', 'Cap 12\n24'],
	// Addresses as browsers and Office read them
	['<a href="https://x.example/My\n NDA">the draft</a>', 'the draft <https://x.example/My%20NDA>'],
	[
		'<a href="ms-word:ofe|u|https://x.example/NDA.docx">the draft</a>',
		'the draft <https://x.example/NDA.docx>',
	],
	[
		'<a href="file:///\\\\server\\NDA.docx">the draft</a>',
		'the draft <file:///\\\\server\\NDA.docx>',
	],
])('%s', (html, text) => {
	const seen = htmlToText(unwrapLinks(html)).replaceAll('\u00a0', ' ');
	expect(seen.replace(/(?<! ) +$/gm, '').trim()).toBe(text.trim());
});
