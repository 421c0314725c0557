/** Operations on codespaces (by the operator) and the withdrawal of versions (by a provider, for its own codespace). */
import { finishWithdrawal } from '../../activities/timetable/import-clean-up.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Handlers, OperationContext } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import type { TimetableDependencies } from './dependencies.ts';
import { presentVersion } from './presenters.ts';
import { codespaceFieldsOf, getGrantedCodespace } from './requests.ts';

type Dependencies = Pick<TimetableDependencies, 'codespaces' | 'versions' | 'signalPlanner'>;

type CodespaceOperations = Pick<
  Operations,
  'getCodespace' | 'putCodespace' | 'withdrawCodespace' | 'withdrawVersion' | 'listVersions'
>;

export function createCodespaceOperations(dependencies: Dependencies): Handlers<CodespaceOperations> {
  const { codespaces, versions, signalPlanner } = dependencies;
  /** The withdrawal is stored. A planner that misses this notice finds out by its own sweep. */
  const signal = async ({ log }: Pick<OperationContext, 'log'>) =>
    await signalPlanner?.().catch((error: unknown) => log.warn({ err: error }, 'the planner could not be signalled'));
  return {
    getCodespace: async ({ path }) => ({ status: 200, json: await codespaces.get(path.codespace) }),
    putCodespace: async ({ path: { codespace }, body }) => {
      const fields = codespaceFieldsOf(codespace, body);
      const unfinished = await codespaces.findWithdrawal(codespace);
      if (unfinished) await finishWithdrawal(dependencies, unfinished);
      const { record, created } = await codespaces.put(codespace, fields);
      return created ? { status: 201, json: record } : { status: 200, json: record };
    },
    withdrawCodespace: async (context) => {
      const { codespace } = context.path;
      const withdrawal = (await codespaces.withdraw(codespace)) ?? (await codespaces.findWithdrawal(codespace));
      if (!withdrawal) throw new ServiceError('NOT_FOUND', 'There is no such codespace');
      await finishWithdrawal(dependencies, withdrawal);
      await signal(context);
      return { status: 202 };
    },
    withdrawVersion: async (context) => {
      const { codespace } = await getGrantedCodespace(codespaces, context);
      await versions.withdraw(codespace, context.path.importKey);
      await signal(context);
      return { status: 202 };
    },
    listVersions: async ({ path }) => {
      const { codespace } = await codespaces.get(path.codespace);
      return { status: 200, json: (await versions.listVersions(codespace)).map(presentVersion) };
    },
  };
}
