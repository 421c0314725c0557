/**
 * Checks alert rules, pages and dashboard as files. served-metrics.ts compares their expressions with running
 * processes.
 */
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

  it('have one page each, and each page has its alert', () => {
    assert.deepEqual([...pages.keys()].sort(), rules.map(({ alert }) => alert).sort());
    for (const { alert, annotations } of rules) {
      assert.equal(annotations.runbook_url, `docs/operations/alerts/${alert}.md`);
      assert.ok(annotations.summary, alert);
    }
  });

  it('state their severity and how long they wait', () => {
    for (const { alert, labels, for: wait = '0m' } of rules) {
      assert.match(labels.severity ?? '', /^(page|ticket)$/, alert);
      assert.match(wait, /^\d+[mh]$/, alert);
    }
  });

  it('watch every process by its name, also roles that share one', () => {
    const { expr = '' } = rules.find(({ alert }) => alert === 'ProcessMissing') ?? {};
    const asked = [...expr.matchAll(/process="([^"]+)"/g)].map(([, name]) => name);
    const optional = ['codec'];
    const names = PROCESS_NAMES.map(kebabCase).filter((name) => !optional.includes(name));
    const LISTED = 'the alert ProcessMissing in docs/operations/alerts.yml asks for each process, and no other';
    assert.deepEqual(asked.sort(), names.sort(), LISTED);
    const page = pages.get('ProcessMissing') ?? '';
    const undescribed = names.filter((name) => !page.includes(`\`${name}\``));
    assert.deepEqual(undescribed, [], 'say in docs/operations/alerts/ProcessMissing.md which work is missing');
  });

  it('have pages with meaning, checks and measures', () => {
    for (const [alert, page] of pages) {
      const headings = page.split('\n').filter((line) => line.startsWith('#'));
      assert.deepEqual(headings, [`# ${alert}`, ...SECTIONS]);
      for (const section of page.split(/^## .*$/m).slice(1)) assert.ok(section.trim().length > 40, alert);
      for (const [, link = ''] of page.matchAll(/\]\(([^)#]+)\)/g)) {
        assert.ok(existsSync(resolve(OPERATIONS, 'alerts', link)), `${alert}: ${link}`);
      }
    }
  });

  it('have pages that name only existing commands', async () => {
    const { scripts } = (await import('../../package.json', { with: { type: 'json' } })).default;
    const named = [...pages.values()].flatMap((page) => [...page.matchAll(/npm run (?:-s )?([\w:-]+)/g)]);
    for (const [, script = ''] of named) assert.ok(script in scripts, script);
  });

  it('and the dashboard use valid PromQL', () => {
    for (const [where, expression] of listExpressions()) {
      assert.doesNotThrow(() => readPromql(expression), where);
    }
    assert.throws(() => readPromql('sum by (job) (rate(x[5m])'));
  });
});

describe('The dashboard', () => {
  const { panels, templating, uid } = readDashboard();

  it('can be imported: its data source is an input, and its panels do not overlap', () => {
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
    const LISTED =
      'docs/operations/grafana-dashboard.json has the rows that `dashboardRows` of the manifests name, in this order';
    assert.deepEqual(rows, ['Processes', 'Requests', ...named, 'Workflows'], LISTED);
  });
});

describe('The configuration of Prometheus', () => {
  it('scrapes every kind of process', () => {
    const jobs = readScrapeConfigs();
    const named = jobs.map(({ job_name }) => job_name).sort();
    const LISTED = 'docs/operations/prometheus.yml has a job for each process, and no other';
    assert.deepEqual(named, PROCESS_NAMES.map(kebabCase).sort(), LISTED);
    for (const { static_configs } of jobs) assert.equal(static_configs[0]?.labels.service, 'samferd');
  });
});
