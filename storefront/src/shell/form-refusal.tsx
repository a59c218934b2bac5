import { Alert } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { RefusalFragment } from '../generated/documents.ts'

/** The reason a form was refused, above its fields, unless a field shows it: the page opens with the focus here. */
export function FormRefusal({ refusal }: { refusal: RefusalFragment | null | undefined }): ReactNode {
  if (!refusal || refusal.fields.length > 0) return null
  return (
    <Alert severity="danger" announces takesFocus>
      {refusal.message}
    </Alert>
  )
}
