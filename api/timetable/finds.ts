/** How each operation finds the codespace, import or dataset that its path names, for this caller. */
import { type Finds, madeByRequest } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import type { TimetableDependencies } from './dependencies.ts';
import { getLatest, getPrivate, getVersion } from './downloads/archives.ts';
import { getImport, type ImportRequest } from './imports.ts';
import { type CodespaceRequest, getGrantedCodespace } from './requests.ts';

type Dependencies = Pick<TimetableDependencies, 'codespaces' | 'imports' | 'versions' | 'privateDatasets'>;

export function createFinds(dependencies: Dependencies): Finds<Operations> {
  const { codespaces, versions } = dependencies;
  const granted = async (request: CodespaceRequest) => await getGrantedCodespace(codespaces, request);
  const codespace = async ({ path }: CodespaceRequest) => await codespaces.get(path.codespace);
  const importOf = async (request: ImportRequest) => await getImport(dependencies, request);
  return {
    uploadDataset: granted,
    uploadDatasetDeprecated: granted,
    searchImports: granted,
    getImportStatus: importOf,
    listImportEvents: importOf,
    getImportReport: importOf,
    getDatasetDifferences: importOf,
    getLatestDataset: async ({ path }) => await getLatest(dependencies, path.codespace),
    getDatasetVersion: async ({ path }) => await getVersion(dependencies, path.codespace, path.importKey),
    getFilteredDataset: async (request) => await getPrivate(dependencies, request),
    listVersions: codespace,
    withdrawVersion: async (request) => {
      const { codespace } = await granted(request);
      await versions.requireWithdrawable(codespace, request.path.importKey);
    },
    getCodespace: codespace,
    putCodespace: madeByRequest,
    withdrawCodespace: async ({ path }) =>
      (await codespaces.findWithdrawal(path.codespace)) ?? (await codespaces.get(path.codespace)),
  };
}
