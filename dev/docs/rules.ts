/**
 * `npm run docs:rules` writes docs/rules.md, the table of all rules, from the catalogue; with `--check` it only says whether
 * the file is as it would be written. Callers: people, the check of the whole project.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ruleCatalogue } from '../../netex/rules/catalogue.ts';
import { splitExample } from '../../netex/rules/example-parts.ts';
import { PROFILE_SEVERITIES } from '../../netex/rules/profile-rules.ts';
import type { Rule, RuleStage } from '../../netex/rules/rule.ts';

const STAGES: Readonly<Record<RuleStage, readonly [title: string, about: string]>> = {
  '0-intake': [
    'The archive',
    `Checked before a file is read. Such an archive is refused, whatever the severity, and the code stands as \`errorCode\` of
the step that refused it. An archive that was sent before is no fault: the step FILE_TRANSFER then has the state and the
\`errorCode\` \`DUPLICATE\`, and names the import that has it.`,
  ],
  '1-schema': ['The schema', 'The XSD of the version that the file declares, its constraints included.'],
  '2-ids': ['Ids and references', 'What elements are called and what they refer to.'],
  '2-structure': ['Structure', 'What the elements of a file must hold.'],
  '3-semantic': ['Meaning', 'Times, speeds, distances, stops: what could not be driven or boarded as it is written.'],
  '4-dataset': ['The whole dataset', 'What shows only when all files are seen together.'],
  any: [
    'The service',
    `Faults that are not those of the data. \`DATASET_INVALID\` is no rule: it is the \`errorCode\` of the step VALIDATION when
findings of severity ERROR or CRITICAL stand in the report, which says where.`,
  ],
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

| Severity | What it means for the dataset |
|---|---|
| CRITICAL | not valid, and the file is not read further: the report has nothing else about it |
| ERROR | not valid, so not published; the version before it stays |
| WARNING | valid; to be mended, for journeys may be shown wrong or not at all |
| INFO | valid; something that would make the data better |

Severities can be set otherwise for a profile or a codespace, in a file that the timetable worker reads at start:
\`RULE_SEVERITIES=severities.json npm start\`, the file being

\`\`\`json
{"profiles": {"flex": {"LINE_3": "INFO"}}, "codespaces": {"abc": {"LINE_3": "ERROR"}}}
\`\`\`

The codespace's wins over the profile's, the profile's over the rule's. No rule can be switched off. XML_SCHEMA_ERROR and
SYSTEM_ERROR are never milder than ERROR, for such a file was not read to its end. DOCTYPE_FORBIDDEN and the other codes of
the archive cannot be given a severity at all: such an archive is refused. Each rule is shown by a case in
\`test/spec/rules\`.

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

/** Names the profiles in which the rule differs. */
function profilesOf({ code, profiles }: Rule): string {
  const milder = Object.entries(PROFILE_SEVERITIES).flatMap(([profile, table]) =>
    table[code] ? [`${table[code]} in the profile ${profile}`] : [],
  );
  const only = profiles.length < Object.keys(PROFILE_SEVERITIES).length ? [`profiles: ${profiles.join(', ')}`] : [];
  return [...only, ...milder].map((part) => ` · ${part}`).join('');
}

/** NeTEx as code, prose as prose. */
function exampleOf(example: string): string {
  const parts = splitExample(example);
  const shown = parts.map(({ text, netex }) => (netex ? `\`${text}\`` : escaped(text))).join('');
  return parts.at(-1)?.netex ? shown : ended(shown);
}

function sentence(text: string): string {
  return ended(escaped(text));
}

function escaped(text: string): string {
  return text.replace(/[<>*_|]/g, (character) => `\\${character}`);
}

function ended(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function readOr(otherwise: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return otherwise;
  }
}
