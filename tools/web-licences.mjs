// Prints name, version and licence of every package that is part of the board in the browser.
import { readFileSync } from 'node:fs';

const { packages } = JSON.parse(readFileSync('web/package-lock.json', 'utf8'));
const used = Object.entries(packages).filter(([path, one]) => path.startsWith('node_modules/') && !one.dev);
for (const [path, { version, license }] of used.sort()) {
  console.log(`${path.replace('node_modules/', '')} ${version}: ${license ?? 'see its repository'}`);
}
