/** Describes for people what a conversion made, changed and left out. Callers: the commands. */
import type { Conversion } from './convert.ts';

export function describeConversion({ counts, firstDay, lastDay, changes }: Conversion): string {
  const made = Object.entries(counts).map(([what, count]) => `${count.toLocaleString('en')} ${what}`);
  const lines = [`${made.join(', ')}; runs from ${firstDay} to ${lastDay}`];
  if (changes.length > 0) lines.push('Changed or left out:');
  for (const { what, count, examples } of changes) {
    const shown = examples.length > 0 ? ` (${examples.join(', ')}${count > examples.length ? ' …' : ''})` : '';
    lines.push(`  ${count.toLocaleString('en')} ${what}${shown}`);
  }
  return lines.join('\n');
}
