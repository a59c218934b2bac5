/** Pick-up points and delivery slots: the directories of the shop's carrier, and the rules of which parcels a point takes. */
export { findPoint } from './find-points.ts'
export { heldDays, isHeldAnywhere, reasonAgainstPoint, type OfferedPoint, type PickUpPoint } from './point.ts'
export { findSlot, findSlots } from './find-slots.ts'
export { readSlotId, showSlot, slotId, slotText, slotTimes, type Slot } from './slot.ts'
export { pointLines, showPoint } from './show-point.ts'
