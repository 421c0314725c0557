/** Operations on codespaces (by the operator) and the withdrawal of versions (by a provider, for its own codespace). */
import { finishWithdrawal } from '../../activities/timetable/import-clean-up.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Operation, OperationContext } from '../shared/operation.ts';
import type { TimetableDependencies } from './dependencies.ts';
import { presentVersion } from './presenters.ts';
import { codespaceFieldsOf, codespaceOf, getGrantedCodespace, importKeyOf } from './requests.ts';

type Dependencies = Pick<TimetableDependencies, 'codespaces' | 'versions' | 'signalPlanner'>;

export function createCodespaceOperations(dependencies: Dependencies): Readonly<Record<string, Operation>> {
  const { codespaces, versions, signalPlanner } = dependencies;
  /** The withdrawal is stored. A planner that misses this notice finds out by its own sweep. */
  const signal = async ({ log }: OperationContext) =>
    await signalPlanner?.().catch((error: unknown) => log.warn({ err: error }, 'the planner could not be told'));
  return {
    getCodespace: async (context) => ({ status: 200, json: await codespaces.get(codespaceOf(context)) }),
    putCodespace: async (context) => {
      const fields = codespaceFieldsOf(context);
      const unfinished = await codespaces.findWithdrawal(codespaceOf(context));
      if (unfinished) await finishWithdrawal(dependencies, unfinished);
      const { record, created } = await codespaces.put(codespaceOf(context), fields);
      return { status: created ? 201 : 200, json: record };
    },
    withdrawCodespace: async (context) => {
      const codespace = codespaceOf(context);
      const withdrawal = (await codespaces.withdraw(codespace)) ?? (await codespaces.findWithdrawal(codespace));
      if (!withdrawal) throw new ServiceError('NOT_FOUND', 'There is no such codespace');
      await finishWithdrawal(dependencies, withdrawal);
      await signal(context);
      return { status: 202 };
    },
    withdrawVersion: async (context) => {
      const { codespace } = await getGrantedCodespace(codespaces, context);
      await versions.withdraw(codespace, importKeyOf(context));
      await signal(context);
      return { status: 202 };
    },
    listVersions: async (context) => {
      const { codespace } = await codespaces.get(codespaceOf(context));
      return { status: 200, json: (await versions.listVersions(codespace)).map(presentVersion) };
    },
  };
}
