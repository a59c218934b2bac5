/** Pick-up points: the directory of the shop's carrier, and the rules of which parcels a point takes. */
export { findPoint } from './find-points.ts'
export { heldDays, isHeldAnywhere, reasonAgainstPoint, type OfferedPoint, type PickUpPoint } from './point.ts'
export { pointLines, showPoint } from './show-point.ts'
