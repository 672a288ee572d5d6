// Builds the documentation as a website: tools/docs.mjs OUT. Fails if a link leads nowhere.
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { Marked } from '../web/node_modules/marked/lib/marked.esm.js';

const out = process.argv[2];
if (!out) {
  console.error('usage: node tools/docs.mjs OUT');
  process.exit(2);
}

/** All files below a folder. */
function below(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? below(path) : [path];
  });
}

const texts = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'nets/README.md', ...below('docs').filter((path) => path.endsWith('.md'))];
const pages = new Map(texts.map((path) => [path, readFileSync(path, 'utf8')]));

/** The anchor of a heading, as forges make it. */
function anchor(text) {
  return text.toLowerCase().replace(/<[^>]*>|[`*_]/g, '').replace(/[^\p{L}\p{N}\- ]/gu, '').replaceAll(' ', '-');
}

function anchors(text) {
  return new Set([...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) => anchor(title)));
}

const faults = [];
const copied = new Set();

/** Where a link of a page leads in the website; nowhere if it is to source code, which the website leaves out. */
function target(page, href) {
  if (/^[a-z]+:/.test(href)) return href;
  const [path, hash] = href.split('#');
  const full = path ? posix.normalize(posix.join(dirname(page), path)) : page;
  if (pages.has(full)) {
    if (hash && !anchors(pages.get(full)).has(hash)) faults.push(`${page}: ${href} has no such heading`);
    return (path ? path.replace(/\.md$/, '.html') : '') + (hash ? `#${hash}` : '');
  }
  if (!existsSync(full)) {
    faults.push(`${page}: ${href} leads nowhere`);
    return href;
  }
  if (!statSync(full).isFile() || !/\.(png|svg|csv|toml)$/.test(full)) return undefined;
  copied.add(full);
  return path;
}

function render(page, text) {
  const renderer = {
    link({ href, tokens }) {
      const [to, shown] = [target(page, href), this.parser.parseInline(tokens)];
      return to === undefined ? shown : `<a href="${to}">${shown}</a>`;
    },
    image({ href, text: about }) {
      return `<img src="${target(page, href)}" alt="${about}">`;
    },
    heading({ tokens, depth, text: title }) {
      return `<h${depth} id="${anchor(title)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
  };
  return new Marked({ renderer }).parse(text);
}

const style = `body{font:16px/1.55 system-ui,sans-serif;max-width:52rem;margin:0 auto;padding:1rem;color:#222;background:#fff}
nav a{margin-right:1rem}pre{background:#f4f4f2;padding:.75rem;overflow-x:auto}code{font-size:.92em}
table{border-collapse:collapse;display:block;overflow-x:auto}td,th{border:1px solid #ddd;padding:.3rem .6rem;text-align:left;vertical-align:top}
img{max-width:100%}a{color:#1b6a4c}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#1b1b1a}pre{background:#262624}td,th{border-color:#444}a{color:#7cc9a5}}`;

for (const [page, text] of pages) {
  const root = relative(dirname(page), '.') || '.';
  const title = /^# (.*)$/m.exec(text)?.[1] ?? page;
  const path = join(out, page.replace(/\.md$/, '.html'));
  mkdirSync(dirname(path), { recursive: true });
  const links = [['README.html', 'Riga'], ['docs/README.html', 'Documentation'], ['CHANGELOG.html', 'Changes']];
  const nav = links.map(([to, name]) => `<a href="${root}/${to}">${name}</a>`).join('');
  writeFileSync(
    path,
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>` +
      `<style>${style}</style><nav>${nav}</nav><main>${render(page, text)}</main></html>\n`,
  );
}
for (const file of copied) {
  mkdirSync(dirname(join(out, file)), { recursive: true });
  copyFileSync(file, join(out, file));
}
writeFileSync(join(out, 'index.html'), '<!doctype html><meta http-equiv="refresh" content="0; url=README.html">\n');
if (faults.length) {
  console.error(faults.join('\n'));
  process.exit(1);
}
console.log(`${pages.size} pages in ${out}`);
