"""What was sampled becomes a gradient: the batch, its passes, the updates, the critic."""
