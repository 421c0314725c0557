/** Blocks, the days' work of vehicles: BLOCK_1 to BLOCK_3. */
import type { OpenElement } from '../xml/scan.ts';
import type { Check } from './check.ts';
import { demandChildren, idOf } from './children.ts';
import { defineStructureRule } from './rule.ts';

export const BLOCK_1 = defineStructureRule({
  code: 'BLOCK_1',
  severity: 'ERROR',
  name: 'Block missing VehicleScheduleFrame',
  meaning: 'VehicleScheduleFrame with neither Block nor TrainBlock',
  example: '<VehicleScheduleFrame id="ABC:VehicleScheduleFrame:1" version="1"/>',
  mend: 'Add the blocks, or leave the frame out.',
});
export const BLOCK_2 = defineStructureRule({
  code: 'BLOCK_2',
  severity: 'ERROR',
  name: 'Block missing Journey',
  meaning: 'Block without journeys',
  example: '<Block id="ABC:Block:1" version="1"><dayTypes>…</dayTypes>…</Block> without journeys',
  mend: 'Add journeys with a reference to each journey that the vehicle makes.',
});
export const BLOCK_3 = defineStructureRule({
  code: 'BLOCK_3',
  severity: 'WARNING',
  name: 'Block missing DayType',
  meaning: 'Block without day types',
  example: '<Block id="ABC:Block:1" version="1"><journeys>…</journeys>…</Block> without dayTypes',
  mend: 'Add dayTypes with a DayTypeRef for each kind of day on which the block runs.',
});

const frameHasBlocks: Check = {
  rules: [BLOCK_1],
  begin(run) {
    let hasBlock = false;
    const noteBlock = (element: OpenElement): void => {
      if (element.parent?.name === 'blocks' && element.parent.parent?.name === 'VehicleScheduleFrame') hasBlock = true;
    };
    return {
      start: {
        VehicleScheduleFrame() {
          hasBlock = false;
        },
        Block: noteBlock,
        TrainBlock: noteBlock,
      },
      end: {
        VehicleScheduleFrame(frame) {
          if (hasBlock) return;
          run.report(
            BLOCK_1,
            frame,
            () => `VehicleScheduleFrame${idOf(frame)} has no Block or TrainBlock; expected at least one.`,
          );
        },
      },
    };
  },
};

export const blockChecks: readonly Check[] = [
  frameHasBlocks,
  demandChildren({ element: 'Block', within: 'blocks' }, [
    { rule: BLOCK_2, child: 'journeys' },
    { rule: BLOCK_3, child: 'dayTypes' },
  ]),
];
