/** TransportSubmode holds one element per mode, each with a value of its own list. */
import type { ElementHandler } from '../rules/check.ts';

const SUBMODE_ELEMENTS = [
  ...['AirSubmode', 'BusSubmode', 'CoachSubmode', 'FunicularSubmode', 'MetroSubmode', 'TramSubmode'],
  ...['TelecabinSubmode', 'RailSubmode', 'WaterSubmode', 'TaxiSubmode', 'SelfDriveSubmode', 'SnowAndIceSubmode'],
];

/** One handler under each of their names, for those inside a TransportSubmode. */
export function submodeHandlers(handler: ElementHandler): Readonly<Record<string, ElementHandler>> {
  const guarded: ElementHandler = (element) => {
    if (element.parent?.name === 'TransportSubmode') handler(element);
  };
  return Object.fromEntries(SUBMODE_ELEMENTS.map((name) => [name, guarded]));
}
