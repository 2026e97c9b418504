"""Pages of the installation and of the person, one file each; Streamlit runs each as a script."""
