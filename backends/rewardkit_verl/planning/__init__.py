"""What a step of verl's will hold and take on each GPU, before anything is loaded."""
