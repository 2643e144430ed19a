/** How a name was found, the most direct first. spec: Screening list layers, Matching */
export const NAME_METHODS = ['exact', 'substring', 'edit_distance', 'homoglyph'] as const
export type NameMethod = (typeof NAME_METHODS)[number]
