import { maxCellLength, maxOrderRows } from '@purlin/contract/order-limits.ts'
import { sheetRowsOf, type SheetRows } from '@purlin/contract/order-rows.ts'
import { namesOf } from '@purlin/web/form-action.ts'
import { bodyOf, choice, files, optionalLines, text } from '@purlin/web/form-input.ts'
import * as v from 'valibot'

const cell = v.pipe(v.string(), v.trim(), v.maxLength(maxCellLength))

/** Characters of rows that are pasted: 300 with names, descriptions and prices. A longer text is refused, since a part of it would order less. */
export const maxPasted = 100_000

/** Rows as two lists of fields, and more of them pasted as text. */
export const quickOrderForm = v.pipe(
  v.object({
    do: choice(['check', 'add']),
    idempotencyKey: v.optional(text(100)),
    code: v.pipe(v.array(cell), v.maxLength(maxOrderRows)),
    quantity: v.pipe(v.array(cell), v.maxLength(maxOrderRows)),
    lines: optionalLines(maxPasted),
  }),
  bodyOf(320_000),
)
export const quickOrderField = namesOf(quickOrderForm)

/** The form of an uploaded sheet, which the gateway reads itself. */
export const sheetField = namesOf(v.object({ column: v.string(), sheet: files(1) }))

/**
 * The filled rows of a form, in order, with those pasted after them; a quantity left empty is one, and one without a number is reported. Of those pasted it is
 * said whether each is one piece for want of a column of quantities.
 */
export function rowsOfForm({ code, quantity, lines }: { code: string[]; quantity: string[]; lines: string }): SheetRows {
  const typed = code.flatMap((each, at) => (each || quantity[at] ? [{ code: each, quantity: quantity[at] || '1' }] : []))
  const pasted = sheetRowsOf(lines)
  return { rows: [...typed, ...pasted.rows], isOneEach: pasted.isOneEach }
}
