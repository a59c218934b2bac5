import { Alert } from '@purlin/ui'
import type { ReactNode } from 'react'

/** The reason an action was refused, above the form: the page opens with the focus here. */
export function RefusedNotice({ refusal }: { refusal?: { message: string } | null | undefined }): ReactNode {
  if (!refusal) return null
  return (
    <Alert severity="danger" announces takesFocus>
      {refusal.message}
    </Alert>
  )
}
