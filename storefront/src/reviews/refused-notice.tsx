import { Alert } from '@purlin/ui'
import type { ReactNode } from 'react'

/** The reason an action was refused, above the form. */
export function RefusedNotice({ refusal }: { refusal?: { message: string } | null | undefined }): ReactNode {
  if (!refusal) return null
  return (
    <Alert severity="danger" announces>
      {refusal.message}
    </Alert>
  )
}
