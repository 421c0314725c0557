/** TransportSubmode holds one element per mode, each with values from its own list. */
import type { ElementHandler } from '../rules/check.ts';

const SUBMODE_ELEMENTS = [
  'AirSubmode',
  'BusSubmode',
  'CoachSubmode',
  'FunicularSubmode',
  'MetroSubmode',
  'TramSubmode',
  'TelecabinSubmode',
  'RailSubmode',
  'WaterSubmode',
  'TaxiSubmode',
  'SelfDriveSubmode',
  'SnowAndIceSubmode',
];

/** Registers one handler under each submode name, for elements inside a TransportSubmode. */
export function submodeHandlers(handler: ElementHandler): Readonly<Record<string, ElementHandler>> {
  const guarded: ElementHandler = (element) => {
    if (element.parent?.name === 'TransportSubmode') handler(element);
  };
  return Object.fromEntries(SUBMODE_ELEMENTS.map((name) => [name, guarded]));
}
