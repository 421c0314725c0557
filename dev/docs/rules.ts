/**
 * `npm run docs:rules` writes docs/rules.md, the table of all rules, from the catalogue; with `--check` it only says whether
 * the file is as it would be written. Callers: people, the check of the whole project.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ruleCatalogue } from '../../netex/rules/catalogue.ts';
import { PROFILE_SEVERITIES } from '../../netex/rules/profile-rules.ts';
import type { Rule, RuleStage } from '../../netex/rules/rule.ts';

const STAGES: Readonly<Record<RuleStage, readonly [title: string, about: string]>> = {
  '0-intake': ['The archive', 'Judged before a file is read; such an archive is refused.'],
  '1-schema': ['The schema', 'The XSD of the version that the file declares, its constraints included.'],
  '2-ids': ['Ids and references', 'What elements are called and what they refer to.'],
  '2-structure': ['Structure', 'What the elements of a file must hold.'],
  '3-semantic': ['Meaning', 'Times, speeds, distances, stops: what could not be driven or boarded as it is written.'],
  '4-dataset': ['The whole dataset', 'What shows only when all files are seen together.'],
  any: ['The service', 'Faults that are not those of the data.'],
};

const target = fileURLToPath(new URL('../../docs/rules.md', import.meta.url));
const text = describeRules();

if (!process.argv.includes('--check')) writeFileSync(target, text);
else if (readOr('', target) !== text) {
  console.error('docs/rules.md is not what the rules say: run npm run docs:rules');
  process.exitCode = 1;
}

function describeRules(): string {
  const parts = Object.entries(STAGES).map(([stage, [title, about]]) => {
    const rules = ruleCatalogue.filter((rule) => rule.stage === stage);
    return `## ${title}\n\n${about}\n\n${rules.map(describe).join('\n')}`;
  });
  const contents = Object.entries(STAGES).map(([stage, [title]]) => {
    const anchor = title.toLowerCase().replaceAll(' ', '-');
    return `- [${title}](#${anchor}): ${ruleCatalogue.filter((rule) => rule.stage === stage).length}`;
  });
  return `# Rules

Made by \`npm run docs:rules\` from the rules themselves; not to be edited. ${ruleCatalogue.length} rules.

A dataset is valid when nothing in it is CRITICAL or ERROR. CRITICAL also means that the file is not read further. Severities
can be set otherwise for a profile or a codespace: the file that \`RULE_SEVERITIES\` names to the timetable worker,
\`{"profiles": {"flex": {"CODE": "WARNING"}}, "codespaces": {"abc": {"CODE": "ERROR"}}}\`; the codespace's wins over the
profile's. Each rule is shown by a case in \`test/spec/rules\`.

${contents.join('\n')}

${parts.join('\n')}`;
}

function describe(rule: Rule): string {
  return `### ${rule.code}

**${rule.severity}** · ${rule.name} · ${filesOf(rule)}${profilesOf(rule)}

${sentence(rule.meaning)}

- Example: ${exampleOf(rule.example)}
- Mend: ${sentence(rule.mend)}
`;
}

function filesOf({ scope, datasets }: Rule): string {
  const files = { all: 'all files', line: 'line files', common: 'common files', archive: 'the upload' }[scope];
  return datasets.length === 1 ? `${files} of a ${datasets[0] === 'timetable' ? 'timetable' : 'stop register'}` : files;
}

/** What differs from the same in every profile. */
function profilesOf({ code, profiles }: Rule): string {
  const milder = Object.entries(PROFILE_SEVERITIES).flatMap(([profile, table]) =>
    table[code] ? [`${table[code]} in the profile ${profile}`] : [],
  );
  const only = profiles.length < Object.keys(PROFILE_SEVERITIES).length ? [`profiles: ${profiles.join(', ')}`] : [];
  return [...only, ...milder].map((part) => ` · ${part}`).join('');
}

function exampleOf(example: string): string {
  return example.includes('<') ? `\`${example.replaceAll('`', "'")}\`` : sentence(example);
}

function sentence(text: string): string {
  const escaped = text.replace(/[<>*_|]/g, (character) => `\\${character}`);
  return /[.!?)]$/.test(escaped) ? escaped : `${escaped}.`;
}

function readOr(otherwise: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return otherwise;
  }
}
