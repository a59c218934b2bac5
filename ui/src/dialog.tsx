import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'
import styles from './dialog.module.css'

export interface DialogProps {
  id: string
  title: string
  children: ReactNode
  close: string
  actions?: ReactNode
}

/**
 * The browser's own dialog. A button opens it by `command="show-modal" commandfor={id}`, and the close button leaves
 * it the same way; where a browser does not know that, the script `dialogs` does it.
 */
export function Dialog({ id, title, children, close, actions }: DialogProps): ReactNode {
  return (
    <dialog id={id} className={styles.dialog} aria-labelledby={`${id}-title`}>
      <div className={styles.head}>
        <h2 id={`${id}-title`} className={styles.title}>
          {title}
        </h2>
        <form method="dialog">
          <IconButton type="submit" icon="close" label={close} />
        </form>
      </div>
      <div className={styles.body}>{children}</div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </dialog>
  )
}
