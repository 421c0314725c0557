/** Rules, pages and dashboard as files. What they ask for is held against running processes in served-metrics.ts. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { AREAS } from '../../activities/areas.ts';
import { kebabCase } from '../../dev/stack/process-names.ts';
import { PROCESS_NAMES } from '../../dev/stack/processes.ts';
import type { Area } from '../../platform/area.ts';
import {
  listExpressions,
  OPERATIONS,
  readDashboard,
  readPages,
  readRules,
  readScrapeConfigs,
} from './operations-files.ts';
import { readPromql } from './promql.ts';

const SECTIONS = ['## What it means', '## What to look at', '## What to do'];

describe('Alerts', () => {
  const rules = readRules();
  const pages = readPages();

  it('have a page each, and each page its alert', () => {
    assert.deepEqual([...pages.keys()].sort(), rules.map(({ alert }) => alert).sort());
    for (const { alert, annotations } of rules) {
      assert.equal(annotations.runbook_url, `docs/operations/alerts/${alert}.md`);
      assert.ok(annotations.summary, alert);
    }
  });

  it('say how urgent they are, and how long to wait', () => {
    for (const { alert, labels, for: wait = '0m' } of rules) {
      assert.match(labels.severity ?? '', /^(page|ticket)$/, alert);
      assert.match(wait, /^\d+[mh]$/, alert);
    }
  });

  it('ask for every process by its name, whatever process a role shares', () => {
    const { expr = '' } = rules.find(({ alert }) => alert === 'ProcessMissing') ?? {};
    const asked = [...expr.matchAll(/process="([^"]+)"/g)].map(([, name]) => name);
    const optional = ['codec'];
    const names = PROCESS_NAMES.map(kebabCase).filter((name) => !optional.includes(name));
    assert.deepEqual(asked.sort(), names.sort());
  });

  it('have pages that say what it means, what to look at and what to do', () => {
    for (const [alert, page] of pages) {
      const headings = page.split('\n').filter((line) => line.startsWith('#'));
      assert.deepEqual(headings, [`# ${alert}`, ...SECTIONS]);
      for (const section of page.split(/^## .*$/m).slice(1)) assert.ok(section.trim().length > 40, alert);
      for (const [, link = ''] of page.matchAll(/\]\(([^)#]+)\)/g)) {
        assert.ok(existsSync(resolve(OPERATIONS, 'alerts', link)), `${alert}: ${link}`);
      }
    }
  });

  it('name in their pages only commands that there are', async () => {
    const { scripts } = (await import('../../package.json', { with: { type: 'json' } })).default;
    const named = [...pages.values()].flatMap((page) => [...page.matchAll(/npm run (?:-s )?([\w:-]+)/g)]);
    for (const [, script = ''] of named) assert.ok(script in scripts, script);
  });

  it('and the dashboard are PromQL', () => {
    for (const [where, expression] of listExpressions()) {
      assert.doesNotThrow(() => readPromql(expression), where);
    }
    assert.throws(() => readPromql('sum by (job) (rate(x[5m])'));
  });
});

describe('The dashboard', () => {
  const { panels, templating, uid } = readDashboard();

  it('can be imported: it asks for its data source, and its panels do not overlap', () => {
    assert.equal(uid, 'samferd');
    assert.deepEqual(
      templating.list.map(({ name, type }) => [name, type]),
      [
        ['datasource', 'datasource'],
        ['job', 'query'],
      ],
    );
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
    const taken = new Set<string>();
    for (const { title, gridPos } of panels) {
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          assert.ok(x < 24 && !taken.has(`${x} ${y}`), title);
          taken.add(`${x} ${y}`);
        }
      }
    }
  });

  it('has a row for each area', () => {
    const rows = panels.filter(({ type }) => type === 'row').map(({ title }) => title);
    const areas: readonly Area[] = AREAS;
    const named = areas.flatMap(({ dashboardRows = [] }) => dashboardRows);
    assert.deepEqual(rows, ['Processes', 'Requests', ...named, 'Workflows']);
  });
});

describe('The configuration of Prometheus', () => {
  it('asks every kind of process', () => {
    const jobs = readScrapeConfigs();
    assert.deepEqual(jobs.map(({ job_name }) => job_name).sort(), PROCESS_NAMES.map(kebabCase).sort());
    for (const { static_configs } of jobs) assert.equal(static_configs[0]?.labels.service, 'samferd');
  });
});
