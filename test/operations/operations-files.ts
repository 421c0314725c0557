/** Reads the files of docs/operations for tests. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../../dev/setup/resolve.mjs';

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

interface RuleGroup {
  readonly name: string;
  readonly rules: readonly AlertRule[];
}

export interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly refId: string; readonly expr: string }[];
}

export interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
  readonly panels: readonly Panel[];
}

export interface ScrapeConfig {
  readonly job_name: string;
  readonly static_configs: readonly { readonly labels: Readonly<Record<string, string>> }[];
}

export const OPERATIONS = join(projectRoot, 'docs/operations');
const read = (file: string): string => readFileSync(join(OPERATIONS, file), 'utf8');

export function readRules(): readonly AlertRule[] {
  return (parse(read('alerts.yml')) as { groups: readonly RuleGroup[] }).groups.flatMap(({ rules }) => rules);
}

export function readDashboard(): Dashboard {
  return JSON.parse(read('grafana-dashboard.json')) as Dashboard;
}

export function readScrapeConfigs(): readonly ScrapeConfig[] {
  return (parse(read('prometheus.yml')) as { scrape_configs: readonly ScrapeConfig[] }).scrape_configs;
}

/** Pages by the name of their alert. */
export function readPages(): ReadonlyMap<string, string> {
  const files = readdirSync(join(OPERATIONS, 'alerts'));
  return new Map(files.map((file) => [file.replace(/\.md$/, ''), read(`alerts/${file}`)]));
}

/** The expressions of rules and panels, each with its position. */
export function listExpressions(): readonly (readonly [where: string, expression: string])[] {
  const panels = readDashboard().panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => [`panel ${title}`, expr] as const),
  );
  return [...readRules().map(({ alert, expr }) => [`alert ${alert}`, expr] as const), ...panels];
}
