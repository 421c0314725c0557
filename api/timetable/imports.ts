/** Operations on imports of a provider: state, steps, report, list. */

import type { ImportRecord } from '../../activities/timetable/import-store.ts';
import type { ReportFormat } from '../../activities/timetable/report-store.ts';
import { toSearchPage } from '../../platform/mongo/search-filter.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { ImportState } from '../../workflows/timetable/messages.ts';
import { matchesEtag } from '../shared/etags.ts';
import type { Handlers, OperationContext } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import type { TimetableDependencies } from './dependencies.ts';
import { presentEvents, presentImport, presentStatus } from './presenters.ts';
import { type CodespaceRequest, getGrantedCodespace, toCorrelationId } from './requests.ts';

type Dependencies = Pick<
  TimetableDependencies,
  'codespaces' | 'imports' | 'reports' | 'differences' | 'downloads' | 'now'
>;
type ImportOperations = Pick<
  Operations,
  'getImportStatus' | 'listImportEvents' | 'getImportReport' | 'getDatasetDifferences' | 'searchImports'
>;
export type ImportRequest = CodespaceRequest & { readonly path: { readonly correlationId: string } };

/** The import that a path names, for callers with a grant for its codespace. */
export async function getImport(
  { codespaces, imports }: Pick<Dependencies, 'codespaces' | 'imports'>,
  request: ImportRequest,
): Promise<ImportRecord> {
  const { codespace } = await getGrantedCodespace(codespaces, request);
  return await imports.get(codespace, toCorrelationId(request.path.correlationId));
}

export function createImportOperations(dependencies: Dependencies): Handlers<ImportOperations> {
  const { codespaces, imports, reports, differences, downloads } = dependencies;
  const now = dependencies.now ?? (() => new Date());
  return {
    getImportStatus: async (context) => ({ status: 200, json: presentStatus(await getImport(dependencies, context)) }),
    listImportEvents: async (context) => {
      const events = presentEvents(await getImport(dependencies, context), now());
      const { search } = context;
      const start = (search.page - 1) * search.perPage;
      const shown = events.slice(start, start + search.perPage);
      return { status: 200, json: toSearchPage(search, shown, events.length) };
    },
    getImportReport: async (context) => {
      // A client that is refused again and again costs no look-up.
      downloads.requireFree(context.caller.clientId);
      const { codespace, correlationId, state } = await getImport(dependencies, context);
      const format = REPORT_FORMATS.find((each) => each === context.accepted) ?? 'application/json';
      const options = { format, language: languageOf(context), signal: context.signal };
      const find = async () => await reports.find(codespace, correlationId, options);
      const report = await downloads.open(context.caller.clientId, find);
      if (!report) throw new ServiceError('NOT_FOUND', whyNoReport(state));
      return { status: 200, headers: { ...report.headers, ...describe(format) }, stream: report.stream };
    },
    getDatasetDifferences: async (context) => {
      downloads.requireFree(context.caller.clientId);
      const { codespace, correlationId, state } = await getImport(dependencies, context);
      const find = async () => await differences.find(codespace, correlationId, context.signal);
      const found = await downloads.open(context.caller.clientId, find);
      if (!found) throw new ServiceError('NOT_FOUND', whyNoDifferences(state));
      const headers = { etag: found.etag, 'cache-control': 'private, no-cache' };
      const known = context.headers['if-none-match'];
      if (known !== undefined && matchesEtag(known, found.etag, 'weak')) {
        found.stream.destroy();
        return { status: 304, headers };
      }
      return { status: 200, headers: { ...headers, ...describe('application/json') }, stream: found.stream };
    },
    searchImports: async (context) => {
      const { codespace } = await getGrantedCodespace(codespaces, context);
      const found = await imports.search(codespace, context.search);
      return { status: 200, json: { ...found, items: found.items.map(presentImport) } };
    },
  };
}

const REPORT_FORMATS: readonly ReportFormat[] = ['application/json', 'text/csv', 'text/html'];

function whyNoReport(state: ImportState): string {
  return state === 'IN_PROGRESS'
    ? 'There is no report yet: the import is still running'
    : 'There is no report: the import ended before its files were validated; its events say why';
}

function whyNoDifferences(state: ImportState): string {
  return state === 'IN_PROGRESS'
    ? 'There are no differences yet: the import is still running'
    : 'There are no differences: the import was not published, no version came before it, or they could not be made';
}

function describe(format: ReportFormat): Readonly<Record<string, string>> {
  return {
    'content-type': format === 'application/json' ? format : `${format}; charset=utf-8`,
    'x-content-type-options': 'nosniff',
  };
}

/** The language of the report page that the caller prefers; English when it names neither. */
function languageOf(context: Pick<OperationContext, 'headers'>): 'nb' | 'en' {
  const first = /\b(nb|nn|no|en)\b/i.exec(context.headers['accept-language'] ?? '')?.[1]?.toLowerCase();
  return first === undefined || first === 'en' ? 'en' : 'nb';
}
