"""Pages and components by the rules of WCAG 2.2."""
