import type { Extent, Pen } from './pen.ts'

export type PictureView = 'main' | 'side' | 'detail' | 'inUse' | 'dimensions'

export type Scene = 'bench' | 'site' | 'room' | 'bath' | 'lawn' | 'terrace' | 'wall' | 'cellar' | 'pool' | 'counter' | 'board' | 'door'

/** Dimensions to annotate on a product, with their unit. */
export interface Lengths {
  w?: string
  h?: string
  /** Figures that no dimension arrow can show: an amount, a cross-section, a format. */
  note?: string
}

/** How one family of products is drawn. */
export interface FamilyDrawing {
  draw(p: Pen): Extent
  /** Omitted where a drawing with dimensions is pointless. */
  lengths?(p: Pen): Lengths
  scene: Scene
  /** Scale of the product in its scene, 0.6 by default. */
  inScene?: number
  /** Hangs on a wall: no contact with the ground. */
  hangs?: boolean
  /** Symmetrical, or with lettering and fittings that forbid flipping. */
  noSide?: boolean
  /** A scene of its own instead of the product in front of a backdrop. */
  inUse?(p: Pen): void
}
